import { type Rule, reject, together } from '../rules';

/** A tag that the body declares, and where. */
export interface DeclaredTag {
  /** `ref_images[0].tag` */
  field: string;
  tag: string;
}

/**
 * Makes the rule that every tag begins with `@`, is declared once, and stands in the prompt. A longer tag is not an
 * occurrence of a shorter one that it begins with: `@cats` does not show `@cat`.
 */
export function tagsStandInPrompt<Input>(
  declared: (input: Input) => readonly DeclaredTag[],
): Rule<Input & { prompt: string }> {
  return (input) => {
    const tags = declared(input);
    const malformed = tags.filter(({ tag }) => !/^@\S+$/.test(tag));
    const repeated = tags.filter(({ tag }, index) => tags.findIndex((other) => other.tag === tag) !== index);
    const single = tags.filter((tag) => !repeated.includes(tag));
    return together([
      ...malformed.map(({ field }) => reject(field, 'must_begin_with_at')),
      ...repeated.map(({ field }) => reject(field, 'must_differ_from_other_tags')),
      ...notIn(input.prompt, single).map(({ field }) =>
        reject(field, 'must_contain_tag', { field: 'prompt', other: field }),
      ),
    ]);
  };
}

/** In the order in which they are declared. */
function notIn(prompt: string, tags: readonly DeclaredTag[]): DeclaredTag[] {
  const longestFirst = [...tags].sort((a, b) => b.tag.length - a.tag.length);
  const found = new Set<DeclaredTag>();
  let rest = prompt;
  for (const declared of longestFirst) {
    if (rest.includes(declared.tag)) found.add(declared);
    rest = rest.replaceAll(declared.tag, ' ');
  }
  return tags.filter((declared) => !found.has(declared));
}
