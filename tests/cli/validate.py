"""Holds a JSON document to a JSON Schema: validate.py SCHEMA DOCUMENT

Status 0 if the document is valid, 1 if it is not (with every reason on stdout), 2 if the schema is
none.
"""
import json
import sys

from jsonschema import Draft7Validator
from jsonschema.exceptions import SchemaError


def main():
    schema, document = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
    try:
        Draft7Validator.check_schema(schema)
    except SchemaError as error:
        print(f"{sys.argv[1]} is no schema: {error.message}")
        return 2
    errors = list(Draft7Validator(schema).iter_errors(document))
    for error in errors:
        print("/".join(map(str, error.absolute_path)) + ": " + error.message)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
