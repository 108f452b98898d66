import { existsSync } from 'node:fs';
import Module from 'node:module';
import { dirname, join } from 'node:path';

/** The file that `scripts/pack-modules.cjs` writes beside a service's main file: all modules that it loads when it starts, as one. */
export interface Pack {
  /** From the pack's folder to the top of the checkout. */
  root: string;
  /** Relative to the top. */
  files: readonly string[];
  /** For each file, the places in `files` of those that it requires, by its words for them. */
  requires: readonly Readonly<Record<string, number>>[];
  bodies: readonly Body[];
  /** The line on which each file's first one stands. */
  firstLines: readonly number[];
}

type Body = (
  this: unknown,
  exports: unknown,
  require: NodeJS.Require,
  module: NodeModule,
  filename: string,
  directory: string,
) => void;

/** The parts of Node's loader that it documents for others' use in part only. */
interface Loader {
  new (id: string, parent?: NodeModule): NodeModule & { paths: string[] };
  _cache: Record<string, NodeModule | undefined>;
  _extensions: Record<string, (module: NodeModule, filename: string) => void>;
  _nodeModulePaths(directory: string): string[];
}

const loader = Module as unknown as Loader;

/**
 * Has modules of the pack beside a main file run from there, in place of a file each: no look-ups of names, and one compiled script that the
 * compile cache keeps. Modules stay Node's own: the same names, the same cache, whoever requires them, so that a file which the pack lacks is
 * loaded as ever and meets the same modules.
 *
 * @returns the path and the content of the pack, or undefined where there is none.
 */
export function usePack(main: string): { path: string; pack: Pack } | undefined {
  const path = main.replace(/\.js$/, '.pack.js');
  if (path === main || !existsSync(path)) return undefined;
  const pack = require(path) as Pack;
  const root = join(dirname(path), pack.root);
  const files = pack.files.map((file) => join(root, file));
  const places = new Map(files.map((file, place) => [file, place]));
  const load = createLoad(pack, { files, places });
  const loadFile = loader._extensions['.js'] as Loader['_extensions'][string];
  loader._extensions['.js'] = (module, filename) => {
    const place = places.get(filename);
    if (place === undefined) loadFile(module, filename);
    else load(module, place);
  };
  return { path, pack };
}

interface Places {
  files: readonly string[];
  places: ReadonlyMap<string, number>;
}

/** Runs the body of a file for a module that the cache has already. */
function createLoad({ bodies, requires }: Pack, { files, places }: Places) {
  const { _cache: cache } = loader;

  function requireOf(module: NodeModule, place: number): NodeJS.Require {
    const known = requires[place] as Readonly<Record<string, number>>;
    const require = (request: string) => {
      // A module that looks through folders requires by a path.
      const wanted = known[request] ?? places.get(request);
      return wanted === undefined ? module.require(request) : moduleAt(wanted, module).exports;
    };
    return withProperties(require, files[place] as string);
  }

  function moduleAt(place: number, parent: NodeModule): NodeModule {
    const filename = files[place] as string;
    const cached = cache[filename];
    if (cached !== undefined) return cached;
    const module = new loader(filename, parent);
    cache[filename] = module;
    module.filename = filename;
    module.paths = loader._nodeModulePaths(dirname(filename));
    try {
      load(module, place);
      module.loaded = true;
    } catch (error) {
      // As Node does, so that whoever requires it again gets the error and not half of a module.
      delete cache[filename];
      throw error;
    }
    return module;
  }

  function load(module: NodeModule, place: number): void {
    const filename = files[place] as string;
    const body = bodies[place] as Body;
    body.call(module.exports, module.exports, requireOf(module, place), module, filename, dirname(filename));
  }

  return load;
}

/** Adds the rest of what a `require` has; few modules ask for it. */
function withProperties(require: (request: string) => unknown, filename: string): NodeJS.Require {
  let own: NodeJS.Require | undefined;
  const ofNode = () => {
    own ??= Module.createRequire(filename);
    return own;
  };
  const property = (name: 'resolve' | 'cache' | 'extensions') => ({ get: () => ofNode()[name] });
  return Object.defineProperties(require, {
    resolve: property('resolve'),
    cache: property('cache'),
    extensions: property('extensions'),
    main: { value: process.mainModule },
  }) as NodeJS.Require;
}
