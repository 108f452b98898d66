import ts from 'typescript';

export interface SourceWords {
  /** Each once for every time that it stands there. */
  identifiers: string[];
  comments: string[];
}

/** The words of a TypeScript or JavaScript file that its author chose; texts in strings are data. */
export function readSource(file: string, text: string): SourceWords {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const identifiers: string[] = [];
  const comments = new Map<number, string>();

  function noteComments(at: number): void {
    const ranges = [...(ts.getLeadingCommentRanges(text, at) ?? []), ...(ts.getTrailingCommentRanges(text, at) ?? [])];
    for (const { pos, end } of ranges) comments.set(pos, text.slice(pos, end));
  }

  function visit(node: ts.Node): void {
    const parts = node.getChildren(source).filter((part) => !ts.isJSDoc(part));
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) identifiers.push(node.text);
    if (parts.length === 0) for (const at of [node.pos, node.end]) noteComments(at);
    else for (const part of parts) visit(part);
  }

  visit(source);
  return { identifiers, comments: [...comments.values()] };
}

/** `wakeTask` and `WAKE_TASK` are "wake task". */
export function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .toLowerCase();
}
