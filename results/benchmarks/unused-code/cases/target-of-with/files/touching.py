def touch(path):
    with open(path, "a", encoding="utf-8") as file:
        pass
    return path


def first_line(path):
    with open(path, encoding="utf-8") as file:
        return file.readline()
