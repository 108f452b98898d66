import { type Rule, reject } from '../rules';

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
    const malformed = tags.find(({ tag }) => !/^@\S+$/.test(tag));
    if (malformed) return reject(malformed.field, 'must_begin_with_at');
    const repeated = tags.find(({ tag }, index) => tags.findIndex((other) => other.tag === tag) !== index);
    if (repeated) return reject(repeated.field, 'must_differ_from_other_tags');
    const missing = notIn(input.prompt, tags);
    return missing && reject(missing.field, 'must_contain_tag', { field: 'prompt', other: missing.field });
  };
}

function notIn(prompt: string, tags: readonly DeclaredTag[]): DeclaredTag | undefined {
  const longestFirst = [...tags].sort((a, b) => b.tag.length - a.tag.length);
  let rest = prompt;
  return longestFirst.find(({ tag }) => {
    const found = rest.includes(tag);
    rest = rest.replaceAll(tag, ' ');
    return !found;
  });
}
