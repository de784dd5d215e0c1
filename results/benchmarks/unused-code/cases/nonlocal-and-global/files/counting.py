calls = 0
last = None


def counter():
    count = 0

    def step(name):
        nonlocal count
        global calls, last
        started = name
        count += 1
        calls += 1
        last = name

    def value():
        return count

    return step, value
