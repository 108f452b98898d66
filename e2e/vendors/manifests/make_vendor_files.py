"""Writes into a folder files with manifests that are shaped like those that vendors are known to write, each signed by PS256 and by Ed25519, by the C2PA project's own library. The certificates are of nobody."""

import datetime
import io
import pathlib
import struct
import sys
import zlib

import c2pa
from actions_of_old import with_actions_of_old
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp", ".mp4": "video/mp4", ".mp3": "audio/mpeg"}
KEYS = {"ps256": lambda: rsa.generate_private_key(65537, 2048), "ed25519": ed25519.Ed25519PrivateKey.generate}
BY_MODEL = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"
PLAIN, FOLDER = map(pathlib.Path, sys.argv[1:])
NOW = datetime.datetime.now(datetime.timezone.utc)


def manifest(version, generator, actions, **more):
    assertions = [{"label": "c2pa.actions", "data": {"actions": actions, "allActionsIncluded": True}}]
    return {"claim_version": version, "claim_generator_info": [generator], "assertions": assertions, **more}


ADOBE = manifest(
    1,
    {"name": "Adobe_Firefly"},
    [
        {
            "action": "c2pa.created",
            "softwareAgent": "Adobe Firefly",
            "digitalSourceType": BY_MODEL,
            "parameters": {"com.adobe.firefly.operation": "text_to_image"},
        }
    ],
    claim_generator="Adobe_Firefly",
    title="Generated image",
)
GOOGLE = manifest(
    2,
    {"name": "Google C2PA Core Generator Library"},
    [
        {"action": "c2pa.created", "description": "Created by Google Generative AI.", "digitalSourceType": BY_MODEL},
        {
            "action": "c2pa.edited",
            "description": "Applied imperceptible SynthID watermark.",
            "digitalSourceType": BY_MODEL,
        },
    ],
)
OPENAI = manifest(
    2,
    {"name": "ChatGPT"},
    [
        {"action": "c2pa.created", "softwareAgent": {"name": "GPT-4o"}, "digitalSourceType": BY_MODEL},
        {"action": "c2pa.converted", "softwareAgent": {"name": "OpenAI API"}},
    ],
)
WRAPPED = manifest(2, {"name": "ChatGPT"}, [{"action": "c2pa.opened", "parameters": {"ingredientIds": ["made"]}}])

# Names of the files, without the algorithm: who wrote it, and the manifests from the first to the newest.
SHAPES = {
    "adobe.jpg": ("Adobe Inc.", [ADOBE]),
    "adobe.webp": ("Adobe Inc.", [ADOBE]),
    "adobe-2023.png": ("Adobe Inc.", [ADOBE]),
    "google.jpg": ("Google LLC", [GOOGLE]),
    "google.mp4": ("Google LLC", [GOOGLE]),
    "google.mp3": ("Google LLC", [GOOGLE]),
    "openai.png": ("OpenAI", [OPENAI]),
    "openai-wrapped.png": ("OpenAI", [OPENAI, WRAPPED]),
    "openai-wrapped.webp": ("OpenAI", [OPENAI, WRAPPED]),
}


def name_of(organisation, common):
    parts = [(NameOID.ORGANIZATION_NAME, f"shaped like {organisation}"), (NameOID.COMMON_NAME, common)]
    return x509.Name([x509.NameAttribute(*part) for part in parts])


def usage(*allowed):
    words = "digital_signature content_commitment key_encipherment data_encipherment key_agreement key_cert_sign crl_sign encipher_only decipher_only"
    return x509.KeyUsage(**{word: word in allowed for word in words.split()})


def certificate(organisation, common, key, authority, extensions):
    builder = (
        x509.CertificateBuilder(name_of(organisation, "authority"), name_of(organisation, common), key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - datetime.timedelta(days=1))
        .not_valid_after(NOW + datetime.timedelta(days=1))
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key()), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    for extension in extensions:
        builder = builder.add_extension(extension, critical=not isinstance(extension, x509.ExtendedKeyUsage))
    return builder.sign(authority, hashes.SHA256())


def pair(organisation, algorithm):
    authority, key = ec.generate_private_key(ec.SECP256R1()), KEYS[algorithm]()
    purposes = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.EMAIL_PROTECTION])
    chain = [
        certificate(organisation, "signer", key, authority, [usage("digital_signature"), purposes]),
        certificate(
            organisation,
            "authority",
            authority,
            authority,
            [x509.BasicConstraints(ca=True, path_length=None), usage("key_cert_sign", "crl_sign")],
        ),
    ]
    return key, chain


def signed(data, content_type, definition, key, chain, algorithm):
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    certificates = b"".join(each.public_bytes(pem) for each in chain)
    signer = c2pa.Signer.from_info(c2pa.C2paSignerInfo(algorithm.encode(), certificates, secret, None))
    builder = c2pa.Builder({**definition, "thumbnail": {"format": "image/jpeg", "identifier": "thumbnail.jpg"}})
    builder.add_resource("thumbnail.jpg", io.BytesIO((PLAIN / "plain.jpg").read_bytes()))
    if definition is WRAPPED:
        ingredient = {"title": "image", "relationship": "parentOf", "label": "made"}
        builder.add_ingredient(ingredient, content_type, io.BytesIO(data))
    result = io.BytesIO()
    store = builder.sign(signer, content_type, io.BytesIO(data), result)
    return result.getvalue(), store


def chunk(store):
    """A PNG's chunk without its length."""
    return b"caBX" + store + struct.pack(">I", zlib.crc32(b"caBX" + store))


for name, (organisation, definitions) in SHAPES.items():
    stem, kind = name.split(".")
    for algorithm in KEYS:
        key, chain = pair(organisation, algorithm)
        data = (PLAIN / f"plain.{kind}").read_bytes()
        for definition in definitions:
            data, store = signed(data, TYPES[f".{kind}"], definition, key, chain, algorithm)
        if stem == "adobe-2023":
            data = data.replace(chunk(store), chunk(with_actions_of_old(store, key, chain)))
        (FOLDER / f"{stem}-{algorithm}.{kind}").write_bytes(data)
