"""Brings a store of one manifest into the form of 2023: its actions stand in `c2pa.actions`, which the library writes no more. The store keeps its length, and with it the hash of its file fits; the claim is signed anew."""

import hashlib
import struct

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ed25519, padding

LABEL, LABEL_OF_OLD = b"c2pa.actions.v2", b"c2pa.actions"
PS256, EDDSA = -37, -8


def boxes_in(data):
    """Boxes are lists of a type and a content, which is bytes or, of a superbox, boxes."""
    boxes = []
    while data:
        length, kind = struct.unpack(">I4s", data[:8])
        content = data[8:length]
        boxes.append([kind, boxes_in(content) if kind == b"jumb" else content])
        data = data[length:]
    return boxes


def written(boxes):
    parts = [[kind, content if isinstance(content, bytes) else written(content)] for kind, content in boxes]
    return b"".join(struct.pack(">I4s", len(content) + 8, kind) + content for kind, content in parts)


def child(superbox, label):
    """A superbox's first box says its label, behind an id of 16 bytes and a byte of flags."""
    return next(box for box in superbox[1] if box[0] == b"jumb" and box[1][0][1][17:].split(b"\0")[0] == label)


def cbor(value):
    """Encodes what COSE needs: numbers below zero or few, bytes, words, lists, and maps."""
    if isinstance(value, int):
        return head(1, -1 - value) if value < 0 else head(0, value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value)) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    return head(5, len(value)) + b"".join(cbor(key) + cbor(item) for key, item in value.items())


def head(major, count):
    if count < 24:
        return bytes([major << 5 | count])
    return bytes([major << 5 | 24, count]) if count < 256 else struct.pack(">BH", major << 5 | 25, count)


def signature_of(claim, key, chain, length):
    """A COSE_Sign1 of so many bytes."""
    is_eddsa = isinstance(key, ed25519.Ed25519PrivateKey)
    certificates = [each.public_bytes(serialization.Encoding.DER) for each in chain]
    header = cbor({1: EDDSA if is_eddsa else PS256, 33: certificates})
    signed = cbor(["Signature1", header, b"", claim])
    pss = padding.PSS(padding.MGF1(hashes.SHA256()), padding.PSS.DIGEST_LENGTH)
    signature = key.sign(signed) if is_eddsa else key.sign(signed, pss, hashes.SHA256())
    tag, null = b"\xd2", b"\xf6"
    parts = lambda pad: tag + head(4, 4) + cbor(header) + cbor({"pad": bytes(pad)}) + null + cbor(signature)
    # From 256 zeros on each one more is a byte more.
    result = parts(256 + length - len(parts(256)))
    assert len(result) == length
    return result


def with_actions_of_old(store, key, chain):
    tree = boxes_in(store)
    manifest = tree[0][1][-1]
    actions = child(child(manifest, b"c2pa.assertions"), LABEL)
    claim, signature = child(manifest, b"c2pa.claim")[1][1], child(manifest, b"c2pa.signature")[1][1]
    digest = lambda: hashlib.sha256(written(actions[1])).digest()
    old = digest()
    actions[1][0][1] = actions[1][0][1].replace(LABEL, LABEL_OF_OLD)
    url, url_of_old = (b"self#jumbf=c2pa.assertions/" + label for label in (LABEL, LABEL_OF_OLD))
    claim[1] = claim[1].replace(cbor(url.decode()), cbor(url_of_old.decode())).replace(old, digest())
    signature[1] = signature_of(claim[1], key, chain, len(signature[1]) + len(store) - len(written(tree)))
    return written(tree)
