def name_of(record):
    note = "records are pairs of a name and a size"
    name, size = record
    return name
