def labeller(prefix):
    opening = f"[{prefix}] "
    width = len(prefix)

    def label(text):
        width = len(text)
        shown = text.strip()
        return opening + shown

    return label
