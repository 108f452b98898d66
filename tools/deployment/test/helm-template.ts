import { createHash } from 'node:crypto';
import { stringify } from 'yaml';

/**
 * The part of Helm's template language that the chart uses: `if`, `else`, `range` over a map, fields, variables, pipelines
 * and the functions below. Anything else is an error, so that the chart cannot leave what is checked here.
 */
export function renderTemplate(template: string, data: object): string {
  const { nodes, rest } = parse(tokenize(template));
  if (rest.length > 0) throw new Error(`${rest[0]?.text} has no beginning`);
  return render(nodes, { dot: data, variables: { $: data } });
}

interface Token {
  kind: 'text' | 'action';
  text: string;
}

interface Node {
  kind: 'text' | 'output' | 'if' | 'range';
  /** The text, or the expression. */
  text: string;
  body: Node[];
  otherwise: Node[];
}

interface Scope {
  dot: unknown;
  variables: Record<string, unknown>;
}

/** A dash beside the braces takes all white space on that side away. */
function tokenize(template: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  let trimsNext = false;
  for (const match of template.matchAll(/\{\{(-?)\s*(.*?)\s*(-?)\}\}/gs)) {
    const [whole, trimsBefore, action = '', trimsAfter] = match;
    const text = template.slice(end, match.index);
    const left = trimsNext ? text.trimStart() : text;
    tokens.push({ kind: 'text', text: trimsBefore === '-' ? left.trimEnd() : left }, { kind: 'action', text: action });
    trimsNext = trimsAfter === '-';
    end = match.index + whole.length;
  }
  const tail = template.slice(end);
  return [...tokens, { kind: 'text', text: trimsNext ? tail.trimStart() : tail }];
}

/** Reads up to an `else` or `end` that belongs to somebody above; it is the first of `rest`. */
function parse(tokens: readonly Token[]): { nodes: Node[]; rest: readonly Token[] } {
  const nodes: Node[] = [];
  let rest = tokens;
  for (let token = rest[0]; token !== undefined; token = rest[0]) {
    if (token.kind === 'action' && (token.text === 'end' || token.text === 'else')) return { nodes, rest };
    rest = rest.slice(1);
    const [, keyword, expression = ''] = /^(if|range) (.*)$/s.exec(token.text) ?? [];
    if (token.kind === 'text') {
      nodes.push({ kind: 'text', text: token.text, body: [], otherwise: [] });
    } else if (keyword === 'if' || keyword === 'range') {
      const body = parse(rest);
      const otherwise = body.rest[0]?.text === 'else' ? parse(body.rest.slice(1)) : { nodes: [], rest: body.rest };
      if (otherwise.rest[0]?.text !== 'end') throw new Error(`${token.text} has no end`);
      nodes.push({ kind: keyword, text: expression, body: body.nodes, otherwise: otherwise.nodes });
      rest = otherwise.rest.slice(1);
    } else {
      nodes.push({ kind: 'output', text: token.text, body: [], otherwise: [] });
    }
  }
  return { nodes, rest };
}

function render(nodes: readonly Node[], scope: Scope): string {
  return nodes.map((node) => renderNode(node, scope)).join('');
}

function renderNode({ kind, text, body, otherwise }: Node, scope: Scope): string {
  switch (kind) {
    case 'text':
      return text;
    case 'output':
      return String(evaluate(text, scope) ?? '');
    case 'if':
      return render(isTrue(evaluate(text, scope)) ? body : otherwise, scope);
    case 'range':
      return renderRange(text, body, scope);
    default:
      return kind satisfies never;
  }
}

function renderRange(text: string, body: readonly Node[], scope: Scope): string {
  const [, keyName, valueName, expression] = /^(\$\w+), (\$\w+) := (.*)$/s.exec(text) ?? [];
  if (keyName === undefined || valueName === undefined || expression === undefined) throw new Error(`range ${text}`);
  const map = (evaluate(expression, scope) ?? {}) as Record<string, unknown>;
  return Object.keys(map)
    .sort()
    .map((key) => {
      const variables = { ...scope.variables, [keyName]: key, [valueName]: map[key] };
      return render(body, { dot: map[key], variables });
    })
    .join('');
}

/** `a b | c d`: what comes before a bar is the last argument of what comes after it. */
function evaluate(expression: string, scope: Scope): unknown {
  const words = expression.match(/"(?:[^"\\]|\\.)*"|\(|\)|\||[^\s()|"]+/g) ?? [];
  const { value, rest } = pipeline(words, scope);
  if (rest.length > 0) throw new Error(`${expression}: ${rest[0]} is one too many`);
  return value;
}

function pipeline(words: readonly string[], scope: Scope): { value: unknown; rest: readonly string[] } {
  let rest = words;
  let piped: unknown[] = [];
  for (;;) {
    const command = operands(rest, scope);
    const [first, ...others] = [...command.values, ...piped];
    const value = typeof first === 'function' ? first(...others) : first;
    if (typeof first !== 'function' && others.length > 0) throw new Error(`${rest.join(' ')}: not a function`);
    if (command.rest[0] !== '|') return { value, rest: command.rest };
    piped = [value];
    rest = command.rest.slice(1);
  }
}

function operands(words: readonly string[], scope: Scope): { values: unknown[]; rest: readonly string[] } {
  const values: unknown[] = [];
  let rest = words;
  for (let word = rest[0]; word !== undefined && word !== '|' && word !== ')'; word = rest[0]) {
    rest = rest.slice(1);
    if (word === '(') {
      const inner = pipeline(rest, scope);
      if (inner.rest[0] !== ')') throw new Error(`${words.join(' ')}: a bracket is open`);
      values.push(inner.value);
      rest = inner.rest.slice(1);
    } else {
      values.push(operand(word, scope));
    }
  }
  return { values, rest };
}

function operand(word: string, { dot, variables }: Scope): unknown {
  if (/^"|^\d+$/.test(word)) return JSON.parse(word);
  const [, root = '', path = ''] = /^(\$\w*|)((?:\.\w+)*)$/.exec(word) ?? [];
  if (root !== '' || path !== '') {
    if (root !== '' && !(root in variables)) throw new Error(`${root} is not known`);
    const keys = path.split('.').slice(1);
    return keys.reduce(fieldOf, root === '' ? dot : variables[root]);
  }
  const known = FUNCTIONS[word];
  if (known === undefined) throw new Error(`${word} is not a function that this renderer knows`);
  return known;
}

function fieldOf(value: unknown, key: string): unknown {
  if (value === undefined || value === null) throw new Error(`.${key} of nothing`);
  return (value as Record<string, unknown>)[key];
}

function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

const FUNCTIONS: Record<string, (...values: never[]) => unknown> = {
  add: (one: number, two: number) => one + two,
  and: (...values: unknown[]) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  default: (otherwise: unknown, value: unknown) => (isTrue(value) ? value : otherwise),
  eq: (one: unknown, two: unknown) => one === two,
  ne: (one: unknown, two: unknown) => one !== two,
  nindent: (spaces: number, text: string) => `\n${text.replace(/^/gm, ' '.repeat(spaces))}`,
  not: (value: unknown) => !isTrue(value),
  printf: (format: string, ...values: unknown[]) =>
    values.reduce<string>((text, value) => text.replace('%s', String(value)), format),
  quote: (value: unknown) => JSON.stringify(String(value ?? '')),
  sha256sum: (text: string) => createHash('sha256').update(text).digest('hex'),
  toYaml: (value: unknown) => stringify(value, { sortMapEntries: true, indentSeq: false, lineWidth: 0 }).trimEnd(),
};
