# -*- coding: utf-8 -*-
# Formatted by hand: columns are lined up on purpose.
import sys   ,  math
import json


MATRIX = [ 1, 0, 0,
           0, 1, 0,
           0, 0, 1 ]

_unread   = "kept for the next version"    # module level: others may read it
x = 3 ;y = x

def  trace( m ) :
    return math . fsum( m[ i*4 ] for i in range(x) )   


if __name__=='__main__' :
    sys.stdout.write( "%d\n" % trace( MATRIX ) )
