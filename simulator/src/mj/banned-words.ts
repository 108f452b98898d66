/** Words that stand for the vendor's own list. */
const bannedWord = /\b(?:nude|naked|nsfw|porn\w*|gore|dismember\w*)\b/i;

/** The first of them in a text; undefined when there is none. */
export function bannedWordIn(text: string): string | undefined {
  return bannedWord.exec(text)?.[0];
}
