import surfaces

if __name__ == "__main__":
    print(surfaces.area(3, 4))
