import csv
import io
import json


def table(rows):
    written = io.StringIO()
    columns = 2
    csv.writer(written).writerows(rows)
    return written.getvalue()
