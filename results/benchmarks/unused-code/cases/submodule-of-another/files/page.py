import xml.dom.minidom
import xml.sax.saxutils


def paragraph(words):
    return "<p>" + xml.sax.saxutils.escape(words) + "</p>"
