def extended(songs, more):
    playlist = backup = list(songs)
    playlist.extend(more)
    return playlist
