export interface Lyrics {
  title: string;
  text: string;
  tags: string[];
}

const MAX_SUBJECTS = 8;

/** Lyrics about the longer words of a prompt. */
export function writeLyrics(prompt: string, variation: number): Lyrics {
  const words = [...new Set(prompt.toLowerCase().match(/\p{L}{4,20}/gu))].slice(0, MAX_SUBJECTS);
  const subject = words.length > 0 ? words.join(' and ') : 'silence';
  const text = `[Verse ${variation}]\nI walk beside ${subject}\n\n[Chorus]\nWe carry ${subject}`;
  return { title: `Song of ${subject}`, text, tags: ['pop ballad'] };
}
