import os
import sys


def entry(number, title):
	if number < 10:
		padding = " "
		other = "0"
	else:
		padding = ""
		other = ""
	return f"{padding}{number} {title}"


def shown(titles):
	return [entry(number, title) for number, title in enumerate(titles, 1)]


if __name__ == "__main__":
	print("\n".join(shown(sys.argv[1:])))
