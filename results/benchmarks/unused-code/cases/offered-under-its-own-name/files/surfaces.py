import json
from measuring import area as area
from measuring import perimeter
