echo ticket
