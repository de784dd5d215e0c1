def number(text):
    try:
        return int(text)
    except ValueError as error:
        return None


def explained(text):
    try:
        return str(int(text))
    except ValueError as error:
        return f"not a number: {error}"
    except (TypeError, OverflowError) as problem:
        return "no text"
