import type { DocumentFacts } from './document-facts';

/** A page where a file was expected: the answer of a server that wants a login, or has lost the file. */
const HTML = /^\s*<(?:!doctype html|html)[\s>]/i;

/**
 * The beginning of a file as plain text or Markdown, which nothing tells apart: UTF-8, or UTF-16 with its mark, without
 * control characters. Undefined: it is none.
 */
export function inspectText(head: Buffer, isWhole: boolean): DocumentFacts | undefined {
  if (head.length === 0) return undefined;
  const text = decode(head, isWhole);
  if (text === undefined || hasControlCharacter(text)) return undefined;
  return { contentTypes: HTML.test(text) ? ['text/html'] : ['text/plain', 'text/markdown'] };
}

function decode(head: Buffer, isWhole: boolean): string | undefined {
  const mark = head.length < 2 ? 0 : head.readUInt16BE(0);
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  try {
    // In the middle of a file a character may be cut in two; at its end it may not.
    return new TextDecoder(encoding, { fatal: true }).decode(head, { stream: !isWhole });
  } catch {
    return undefined;
  }
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Tab, line feed, form feed and carriage return are text.
    if (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0c && code !== 0x0d) return true;
  }
  return false;
}
