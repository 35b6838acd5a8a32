"""Says how many pieces of a product are left today."""

import argparse

LEFT = {"brot": 18, "brezel": 42, "torte": 3}

parser = argparse.ArgumentParser()
parser.add_argument("--produkt", choices=sorted(LEFT), required=True)
print(LEFT[parser.parse_args().produkt])
