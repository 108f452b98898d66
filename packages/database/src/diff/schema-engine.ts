import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { MigrationAdapter } from './migration-adapter';

/** Nothing in the database is managed by somebody else. */
export const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Runs `work` with Prisma's schema engine in its WebAssembly build, because the native one is downloaded from its vendor
 * at run time and a closed network refuses that. Closes the adapter.
 * @throws Error with the engine's own message.
 */
export async function withSchemaEngine<Result>(
  adapter: MigrationAdapter,
  work: (engine: SchemaEngine) => Promise<Result>,
): Promise<Result> {
  const { SchemaEngine } = await loadBindings();
  const ignoreLog = () => undefined;
  try {
    const bound = bindMigrationAwareSqlAdapterFactory(adapter);
    const engine = await SchemaEngine.new({ datamodels: undefined }, ignoreLog, bound);
    try {
      return await work(engine);
    } finally {
      engine.free();
    }
  } finally {
    await adapter.close();
  }
}

/** The one part of the platform's WebAssembly that is used here; Node's types leave it to the browser's library. */
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
};

type Bindings = typeof import('@prisma/schema-engine-wasm/schema_engine_bg');

let bindings: Promise<Bindings> | undefined;

function loadBindings(): Promise<Bindings> {
  bindings ??= instantiate();
  return bindings;
}

/** Does what the package's entry file leaves to a bundler: Node cannot import a `.wasm` file as a module. */
async function instantiate(): Promise<Bindings> {
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const directory = dirname(require.resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
  const bytes = await readFile(join(directory, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': withIdleTimers({ ...glue }) });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return glue;
}

/** The engine never clears the timer of its lock, which would hold a finished process for ten seconds more. */
function withIdleTimers(imports: Record<string, unknown>): Record<string, unknown> {
  const name = Object.keys(imports).find((key) => key.startsWith('__wbg_setTimeout_'));
  if (name === undefined) throw new Error('The schema engine has no timer to replace: its version has changed.');
  imports[name] = (callback: () => void, milliseconds: number) => setTimeout(callback, milliseconds).unref();
  return imports;
}
