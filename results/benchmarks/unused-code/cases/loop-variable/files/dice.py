def thrown(throw, times):
    sides = 6
    results = []
    for number in range(times):
        results.append(throw())
    return results
