def first_known(words, known):
    tried = len(words)
    if any((hit := word.lower()) in known for word in words):
        return hit
    return None
