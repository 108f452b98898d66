/** One part of a streamed answer: letters that tell its number. */
export function partOf(number: number, bytes: number): Buffer {
  return Buffer.alloc(bytes, 97 + (number % 26));
}

export function allParts({ parts, partBytes }: { parts: number; partBytes: number }): Buffer {
  return Buffer.concat(Array.from({ length: parts }, (_, number) => partOf(number, partBytes)));
}
