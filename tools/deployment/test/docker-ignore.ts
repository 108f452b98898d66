/** Tells whether a path, relative to the root of the context, is kept out of it. */
export interface DockerIgnore {
  isIgnored(path: string): boolean;
  /** True where something below an ignored folder may be let in again. */
  mayHoldMore(folder: string): boolean;
}

interface Rule {
  pattern: RegExp;
  path: string;
  letsIn: boolean;
}

/** As Docker reads the file: the last line that matches a path, or a folder above it, decides. */
export function parseDockerIgnore(text: string): DockerIgnore {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const rules = lines.map(toRule);
  return {
    isIgnored(path) {
      const parts = path.split('/');
      const ancestry = parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
      const deciding = rules.filter(({ pattern }) => ancestry.some((ancestor) => pattern.test(ancestor))).at(-1);
      return deciding !== undefined && !deciding.letsIn;
    },
    mayHoldMore: (folder) => rules.some(({ letsIn, path }) => letsIn && path.startsWith(`${folder}/`)),
  };
}

function toRule(line: string): Rule {
  const letsIn = line.startsWith('!');
  const path = letsIn ? line.slice(1) : line;
  if (!/^[\w.*/-]+$/.test(path)) throw new Error(`this reader does not know the pattern ${line}`);
  const source = path
    .replace(/[.]/g, '\\.')
    .replace(/\*\*\//g, '(?:.+/)?')
    .replace(/\*/g, '[^/]*');
  return { pattern: new RegExp(`^${source}$`), path, letsIn };
}
