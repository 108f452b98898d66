"""Makes small files as people have them, by other programs than the gateway's. `python make_files.py <folder>`."""

import io
import struct
import sys
from pathlib import Path

import pikepdf
import pillow_heif
import pypdf
from fpdf import FPDF
from PIL import Image, ImageCms
from reportlab.pdfgen import canvas

folder = Path(sys.argv[1])
pillow_heif.register_heif_opener()
image_of_lines = Image.linear_gradient("L").resize((80, 60)).convert("RGB")


def turned(orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010F] = "A maker of phones"
    return exif


def save(name, image=image_of_lines, **options):
    image.save(folder / name, **options)


def images():
    for orientation in range(1, 9):
        save(f"orientation-{orientation}.jpg", exif=turned(orientation))
    big_endian = b"Exif\0\0MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0)
    save("orientation-6-big-endian.jpg", exif=big_endian)
    save("orientation-6.png", exif=turned(6))
    save("orientation-6.webp", exif=turned(6).tobytes())
    save("cmyk.jpg", image_of_lines.convert("CMYK"))
    save("grey.jpg", image_of_lines.convert("L"))
    save("progressive.jpg", progressive=True)
    save("icc.jpg", icc_profile=ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    save("several-images.mpo", save_all=True, append_images=[image_of_lines])
    save("16-bit.png", Image.new("I;16", (80, 60), 40000))
    save("grey-alpha.png", image_of_lines.convert("LA"))
    save("palette.png", image_of_lines.convert("P"), transparency=0)
    save("1-bit.png", image_of_lines.convert("1"))
    save("icc.png", icc_profile=ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes())
    frames = {"save_all": True, "append_images": [image_of_lines.rotate(90), image_of_lines.rotate(180)], "duration": 100}
    save("animated.png", **frames)
    save("animated.gif", image_of_lines.convert("P"), **frames)
    save("animated.webp", **frames)
    save("lossless.webp", image_of_lines.convert("RGBA"), lossless=True)
    save("plain.bmp")
    save("alpha.bmp", image_of_lines.convert("RGBA"))
    save("plain.tiff")
    save("plain.jp2")
    save("plain.ico")
    save("plain.ppm")
    save("plain.avif")
    transparent = image_of_lines.convert("RGBA")
    transparent.putalpha(100)
    save("alpha.avif", transparent)
    save("animated.avif", **frames)
    save("turned.avif", exif=turned(6).tobytes())
    save("plain.heic")
    save("photo.heif", exif=turned(6).tobytes())
    jpeg = (folder / "orientation-1.jpg").read_bytes()
    (folder / "motion-photo.jpg").write_bytes(jpeg + b"\0\0\0\x18ftypmp42" + b"\0" * 5000)
    (folder / "cut-off.jpg").write_bytes(jpeg[: len(jpeg) // 2])
    (folder / "drawing.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"/>')


def chunk(name, content):
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


FORMAT = chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 8000, 16000, 2, 16))
SECOND = b"\0\0" * 8000


def wave(name, *chunks, riff=b"RIFF", size=None):
    content = b"WAVE" + b"".join(chunks)
    (folder / name).write_bytes(riff + struct.pack("<I", len(content) if size is None else size) + content)


def waves():
    wave("plain.wav", FORMAT, chunk(b"data", SECOND))
    wave("junk-first.wav", chunk(b"JUNK", b"\0" * 28), FORMAT, chunk(b"data", SECOND))
    wave("broadcast.wav", chunk(b"bext", b"\0" * 602), FORMAT, chunk(b"data", SECOND))
    wave("odd-list.wav", FORMAT, chunk(b"LIST", b"INFOISFTabc"), chunk(b"data", SECOND))
    wave("tags-behind.wav", FORMAT, chunk(b"data", SECOND), chunk(b"id3 ", b"ID3\x03\0\0\0\0\0\0"))
    wave("streamed.wav", FORMAT, b"data\xff\xff\xff\xff" + SECOND, size=0xFFFFFFFF)
    wave("never-finished.wav", FORMAT, b"data\0\0\0\0" + SECOND, size=0)
    wave("cut-off.wav", FORMAT, b"data" + struct.pack("<I", 32000) + SECOND)
    sizes = chunk(b"ds64", struct.pack("<QQQI", 16080, 16000, 8000, 0))
    wave("rf64.wav", sizes, FORMAT, b"data\xff\xff\xff\xff" + SECOND, riff=b"RF64", size=0xFFFFFFFF)
    wave("no-data.wav", FORMAT)


def reportlab_pages(pages, **options):
    file = io.BytesIO()
    page = canvas.Canvas(file, **options)
    for number in range(pages):
        page.drawString(100, 100, f"Page {number + 1}")
        page.showPage()
    page.save()
    return file.getvalue()


def documents():
    plain = reportlab_pages(3)
    (folder / "reportlab.pdf").write_bytes(plain)
    (folder / "reportlab-packed.pdf").write_bytes(reportlab_pages(3, pageCompression=1))
    text = FPDF()
    for _ in range(2):
        text.add_page()
        text.set_font("helvetica")
        text.cell(text="A page")
    text.output(str(folder / "fpdf2.pdf"))
    save("scanned.pdf", save_all=True, append_images=[image_of_lines])
    with pikepdf.open(io.BytesIO(plain)) as pdf:
        pdf.save(folder / "object-streams.pdf", object_stream_mode=pikepdf.ObjectStreamMode.generate)
        pdf.save(folder / "linearized.pdf", linearize=True)
        for revision in range(2, 7):
            for name, user in {"for-its-owner": "", "for-readers": "y"}.items():
                lock = pikepdf.Encryption(owner="x", user=user, R=revision, aes=revision > 3, metadata=revision > 3)
                pdf.save(folder / f"{name}-{revision}.pdf", encryption=lock)
        pdf.save(folder / "version-2.pdf", force_version="2.0")
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(plain))
    writer.add_blank_page(100, 100)
    writer.write(folder / "pypdf.pdf")
    changed = io.BytesIO(plain)
    again = pypdf.PdfWriter(changed, incremental=True)
    again.add_blank_page(100, 100)
    again.write(folder / "appended-to.pdf")
    (folder / "behind-an-empty-line.pdf").write_bytes(b"\r\n" + plain)
    (folder / "behind-a-mark.pdf").write_bytes(b"\xef\xbb\xbf" + plain)
    (folder / "cut-off.pdf").write_bytes(plain[: len(plain) // 2])


images()
waves()
documents()
