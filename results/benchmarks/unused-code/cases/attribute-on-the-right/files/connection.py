class Connection:
    def __init__(self):
        self.opened = 0

    @property
    def link(self):
        """The link, which is opened by the first who asks for it."""
        self.opened = self.opened or 1
        return "link"


def warm(connection):
    link = connection.link
    return connection
