import settings


def greeting():
    return settings.capwords(settings.TITLE)


if __name__ == "__main__":
    print(greeting())
