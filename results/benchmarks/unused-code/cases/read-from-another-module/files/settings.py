import json
from string import capwords

TITLE = "weekly report"
