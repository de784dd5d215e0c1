from vessels import volume


def litres(edge):
    return volume(edge) / 1000


if __name__ == "__main__":
    print(litres(20))
