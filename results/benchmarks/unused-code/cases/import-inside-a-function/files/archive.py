def packed(content):
    import base64
    import gzip

    return base64.b64encode(content).decode()


def size(content):
    return len(content)
