export const categories = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/intent',
  'self-harm/instructions',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
] as const;

export type Category = (typeof categories)[number];

/** The categories that the vendor scores an image for. */
export const imageCategories: readonly Category[] = categories.filter(
  (category) => category === 'sexual' || category.startsWith('self-harm') || category.startsWith('violence'),
);

/** Words that stand for what a real classifier would find in a text. */
const words: [pattern: RegExp, flagged: Category[]][] = [
  [/\b(?:kill|murder|massacre|slaughter)\w*/i, ['violence']],
  [/\b(?:gore|dismember\w*|beheading)\b/i, ['violence', 'violence/graphic']],
  [/\b(?:porn\w*|nsfw|nude|naked)\b/i, ['sexual']],
  [/\bsuicide\b/i, ['self-harm', 'self-harm/intent']],
  [/\b(?:bomb-making|meth recipe)\b/i, ['illicit', 'illicit/violent']],
  [/\bhateful slur\b/i, ['hate', 'harassment']],
];

export function flaggedCategories(text: string): Category[] {
  const found = words.filter(([pattern]) => pattern.test(text)).flatMap(([, flagged]) => flagged);
  return categories.filter((category) => found.includes(category));
}

/** `sexual+violence` as categories; `violence` for a text that names none. */
export function readCategories(text: string): Category[] {
  const named = text.split('+');
  const known = categories.filter((category) => named.includes(category));
  return known.length > 0 ? known : ['violence'];
}
