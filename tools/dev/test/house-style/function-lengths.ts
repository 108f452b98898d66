import ts from 'typescript';

/** The lines that each function takes, by its name, or its owner's where it has none; of several of one name the longest. */
export function functionLengths(file: string, text: string): ReadonlyMap<string, number> {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lengths = new Map<string, number>();
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line;

  function visit(node: ts.Node): void {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const name = nameOf(node);
      const lines = lineAt(node.end) - lineAt(node.getStart(source)) + 1;
      lengths.set(name, Math.max(lines, lengths.get(name) ?? 0));
    }
    ts.forEachChild(node, visit);
  }

  visit(source);
  return lengths;
}

function nameOf(node: ts.Node): string {
  for (let owner: ts.Node | undefined = node; owner !== undefined; owner = owner.parent) {
    if ('name' in owner && owner.name !== undefined) return (owner.name as ts.Node).getText();
  }
  return 'main';
}
