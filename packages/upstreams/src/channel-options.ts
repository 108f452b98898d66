import { isJsonObject, type JsonObject } from '@mediagate/contracts';

/** An option of a channel: a choice of words, any text, a whole number within bounds, names for names, or what its protocol judges itself. */
export type OptionRule =
  | { kind: 'choice'; of: readonly string[] }
  | { kind: 'text' }
  | { kind: 'names' }
  | { kind: 'own' }
  | { kind: 'integer'; min: number; max: number };

export type OptionRules = Readonly<Record<string, OptionRule>>;

/** The fault in `options` by the rules, as a sentence for the operator; undefined: none. */
export function checkAgainst(rules: OptionRules, options: JsonObject): string | undefined {
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) return `unknown option "${name}"; known are ${Object.keys(rules).join(', ')}`;
    const wanted = expectation(rule, value);
    if (wanted !== undefined) return `option "${name}" must be ${wanted}`;
  }
  return undefined;
}

function expectation(rule: OptionRule, value: unknown): string | undefined {
  switch (rule.kind) {
    case 'choice':
      return rule.of.includes(value as string) ? undefined : rule.of.map((word) => `"${word}"`).join(' or ');
    case 'text':
      return isName(value) ? undefined : '1 to 200 printable characters without spaces';
    case 'names':
      return isJsonObject(value) && Object.entries(value).flat().every(isName)
        ? undefined
        : 'names mapped to names, each of 1 to 200 printable characters without spaces';
    case 'own':
      return undefined;
    case 'integer':
      return Number.isInteger(value) && Number(value) >= rule.min && Number(value) <= rule.max
        ? undefined
        : `a whole number from ${rule.min} to ${rule.max}`;
    default:
      return rule satisfies never;
  }
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value);
}
