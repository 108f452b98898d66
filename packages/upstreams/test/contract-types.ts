import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../../..');
export const CONTRACT_FILE = join(ROOT, 'tools/cli/skeleton/mediagate.d.ts');
const ENTRY = 'packages/upstreams/src/protocol';
const WANTED = ['CreateProtocol'];
const HEAD = `// The contract of adapters, version 1, as \`npm run reference\` of mediagate writes it. Only types: the functions of a kit are handed to
// the adapter, and nothing can be imported from here at run time.
`;

interface Declaration {
  /** With its comment. */
  text: string;
}

interface Source {
  declarations: ReadonlyMap<string, Declaration[]>;
  /** The module that each imported name is from. */
  imports: ReadonlyMap<string, string>;
}

/** The types that an adapter needs, of whatever file they are, as one file. */
export function contractTypes(): string {
  const sources = emitTypes();
  const found = new Map<string, { file: string; declarations: Declaration[] }>();
  const outside = new Map<string, string>();
  const visit = (file: string, name: string): void => {
    const declared = locate(sources, file, name);
    if (declared === undefined) return;
    if ('outside' in declared) {
      outside.set(name, declared.outside);
      return;
    }
    const known = found.get(name);
    if (known?.file === declared.file) return;
    if (known !== undefined) throw new Error(`${name} is another thing in ${known.file} and in ${declared.file}`);
    found.set(name, declared);
    for (const { text } of declared.declarations) {
      const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '');
      for (const [used] of code.matchAll(/[A-Za-z_$][\w$]*/g)) visit(declared.file, used);
    }
  };
  for (const name of WANTED) visit(ENTRY, name);
  // No package has what a library of this one makes.
  const imports = [...outside].map(([name, module]) =>
    module.startsWith('node:') ? `import type { ${name} } from '${module}';` : `type ${name} = never;`,
  );
  const types = [...found.values()].flatMap(({ declarations }) => declarations.map(({ text }) => text));
  return `${HEAD}${imports.join('\n')}\n\n${types.join('\n\n')}\n\nexport {};\n`;
}

function locate(sources: ReadonlyMap<string, Source>, file: string, name: string) {
  const source = sources.get(file);
  const own = source?.declarations.get(name);
  if (own !== undefined) return { file, declarations: own };
  const module = source?.imports.get(name);
  if (module === undefined) return undefined;
  if (!module.startsWith('.') && !module.startsWith('@mediagate/')) return { outside: module };
  const folder = module.startsWith('.') ? undefined : `packages/${module.slice('@mediagate/'.length)}/src/`;
  const target = folder === undefined ? join(dirname(file), module) : undefined;
  for (const [other, { declarations }] of sources) {
    const isThere = other === target || (folder !== undefined && other.startsWith(folder));
    const declared = isThere ? declarations.get(name) : undefined;
    if (declared !== undefined) return { file: other, declarations: declared };
  }
  throw new Error(`${name} of ${module}, which ${file} imports, is nowhere`);
}

/** Every declaration file that the compiler makes of the contract, by its path from the root without an ending. */
function emitTypes(): ReadonlyMap<string, Source> {
  const folder = mkdtempSync(join(tmpdir(), 'mediagate-types-'));
  try {
    const config = join(folder, 'tsconfig.json');
    const options = { noEmit: false, declaration: true, emitDeclarationOnly: true, incremental: false };
    // The compiler writes no types of what it finds among installed packages.
    const paths = { '@mediagate/*': [join(ROOT, 'packages/*/src/index.ts')] };
    const places = { rootDir: ROOT, outDir: join(folder, 'out'), typeRoots: [join(ROOT, 'node_modules/@types')] };
    const compilerOptions = { ...options, ...places, paths, tsBuildInfoFile: null };
    const content = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions,
      include: [],
      files: [join(ROOT, `${ENTRY}.ts`)],
    };
    writeFileSync(config, JSON.stringify(content));
    const compiler = createRequire(join(ROOT, 'package.json')).resolve('typescript/package.json');
    const tsc = join(dirname(compiler), 'bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', config], { encoding: 'utf8', cwd: ROOT });
    if (status !== 0) throw new Error(`the contract cannot be compiled: ${stdout}`);
    const written = globSync('**/*.d.ts', { cwd: places.outDir });
    return new Map(
      written.map((file) => [file.slice(0, -'.d.ts'.length), parse(readFileSync(join(places.outDir, file), 'utf8'))]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const STATEMENT = /^(?:\/\*\*|export\b|declare\b|import\b|interface\b|type\b|const\b|function\b|class\b)/;
const DECLARATION = /^(export )?(?:declare )?(?:abstract )?(interface|type|const|function|class) (\w+)/m;
const IMPORT = /^import (?:type )?\{?([^}]*?)\}? from '([^']+)'/;

/** A declaration file as the compiler writes it: every statement begins a line, its comment stands above it. */
function parse(written: string): Source {
  const declarations = new Map<string, Declaration[]>();
  const imports = new Map<string, string>();
  // Types that were inferred name their modules where they stand.
  const text = written.replace(/\bimport\("([^"]+)"\)\.(\w+)/g, (_, module: string, name: string) => {
    imports.set(name, module);
    return name;
  });
  let comment = '';
  for (const statement of statements(text)) {
    if (statement.startsWith('/**') && !DECLARATION.test(statement)) {
      comment = statement;
      continue;
    }
    const [, names = '', module] = IMPORT.exec(statement) ?? [];
    for (const name of names.split(',')) {
      const word = name.replace(/\btype /, '').trim();
      if (word !== '' && module !== undefined) imports.set(word, module);
    }
    const [, , kind = '', name = ''] = DECLARATION.exec(statement) ?? [];
    if (name !== '') {
      const isType = kind === 'interface' || kind === 'type';
      const whole = `${comment}${comment === '' ? '' : '\n'}${plain(statement, isType)}`;
      declarations.set(name, [...(declarations.get(name) ?? []), { text: whole }]);
    }
    comment = '';
  }
  return { declarations, imports };
}

function statements(text: string): string[] {
  const found: string[] = [];
  for (const line of text.split('\n')) {
    const last = found.at(-1);
    const isInComment = last?.startsWith('/**') && !last.includes('*/');
    if (last === undefined || (STATEMENT.test(line) && !isInComment)) found.push(line);
    else found[found.length - 1] = `${last}\n${line}`;
  }
  // A comment between the members of a union begins a line, too.
  const whole: string[] = [];
  for (const statement of found) {
    if (/^\/\*\*(?:[^*]|\*(?!\/))*\*\/\s*[|&]/.test(statement)) whole.push(`${whole.pop()}\n${statement}`);
    else whole.push(statement);
  }
  return whole.map((statement) => statement.trimEnd());
}

/** Types are exported; a function is only declared, so that the type of the kit can name it. */
function plain(statement: string, isType: boolean): string {
  const bare = statement.replace(/^(?:export )?(?:declare )?/, '');
  return `${isType ? 'export ' : 'declare '}${bare}`;
}
