import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WORKER_FAMILIES } from '@mediagate/contracts';
import { hostSettings } from '@mediagate/host';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { declaredSettings, ownDrainSeconds, poolSizeOf, readText } from './checkout';
import { type ComposeService, REQUIRED, REQUIRED_VARIABLES, readComposeFile, rolesOf, seconds } from './compose-file';
import { readDockerfile } from './dockerfile';

const compose = readComposeFile(REQUIRED_VARIABLES);
const roles = rolesOf(compose);

/** The schema of the Compose specification, which dclint carries. */
function composeSchema(): object {
  const path = join(dirname(require.resolve('dclint/package.json')), 'schemas/compose.schema.json');
  const { $schema: _dialect, ...schema } = JSON.parse(readFileSync(path, 'utf8'));
  return schema;
}

function validator() {
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/);
  for (const format of ['ports', 'expose', 'subnet_ip_address', 'uri', 'email']) ajv.addFormat(format, true);
  return ajv.compile(composeSchema());
}

describe('docker-compose.yml', () => {
  it('fits the Compose specification', () => {
    const validate = validator();
    validate(parse(readText('docker-compose.yml'), { merge: true }));
    expect(validate.errors).toBeNull();
    validate(compose);
    expect(validate.errors).toBeNull();
  });

  it('would not fit with a word misspelt, or a value of another type', () => {
    const validate = validator();
    const { api, redis } = compose.services;
    expect(validate({ services: { api: { ...api, enviroment: {} } } })).toBe(false);
    expect(validate({ services: { redis: { ...redis, restart: true } } })).toBe(false);
  });

  it('names each variable that is required and missing', () => {
    for (const name of REQUIRED) {
      const { [name]: _missing, ...others } = REQUIRED_VARIABLES;
      expect(() => readComposeFile(others)).toThrow(`${name} is missing in .env`);
    }
  });

  it('holds no secret of its own', () => {
    const text = readText('docker-compose.yml');
    const secrets = text.match(/^\s+\w*(?:SECRET|PASSWORD|PEPPER|_KEY): .*$/gm) ?? [];
    expect(secrets.length).toBeGreaterThan(3);
    expect(secrets.filter((line) => !/: \$\{\w+:\?is missing in \.env\}$/.test(line))).toEqual([]);
  });

  it('runs every service of the gateway, and lets each worker be scaled alone', () => {
    expect(new Set(roles.map(([name]) => name))).toEqual(
      new Set(['api', ...WORKER_FAMILIES, 'webhook-delivery', 'reconciler', 'console']),
    );
    for (const [name, service] of roles) {
      expect(service.command).toEqual(['node', `services/${name}/dist/main.js`]);
      expect(service.container_name).toBeUndefined();
      if (name !== 'api' && name !== 'console') expect(service.ports).toBeUndefined();
    }
  });

  it.each(roles)('%s has more time to end than it takes to drain', (name, service) => {
    const drainSeconds = Number(service.environment?.['DRAIN_SECONDS']);
    expect(drainSeconds).toBeGreaterThanOrEqual(ownDrainSeconds(name));
    expect(drainSeconds).toBeLessThanOrEqual(hostSettings.DRAIN_SECONDS.max);
    expect(seconds(service.stop_grace_period) - drainSeconds).toBeGreaterThanOrEqual(20);
  });

  it('bounds what each container takes and writes, a role as the chart does', () => {
    for (const { deploy, logging } of Object.values(compose.services)) {
      expect(deploy?.resources.limits).toMatchObject({ memory: expect.stringMatching(/^\d+[mg]$/), pids: 1024 });
      expect(logging).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } });
    }
    const { roles: inChart } = parse(readText('deploy/helm/mediagate/values.yaml'));
    for (const [name, { deploy }] of roles) {
      const memory = deploy?.resources.limits.memory.replace(/[mg]$/, (unit) => `${unit.toUpperCase()}i`);
      expect([name, memory]).toEqual([name, inChart[name].resources.limits.memory]);
    }
  });

  it('has files worked on in a volume on the disk, never in memory, by whoever works on any', () => {
    const working = roles.filter(([name]) => declaredSettings(name).includes('WORK_FOLDER'));
    expect(working.map(([name]) => name)).toEqual(expect.arrayContaining(['api', ...WORKER_FAMILIES]));
    for (const [name, { environment, volumes = [], tmpfs = [] }] of working) {
      const folder = String(environment?.['WORK_FOLDER']);
      expect([name, volumes.some((volume) => volume === folder)]).toEqual([name, true]);
      expect([name, [tmpfs].flat().filter((inMemory) => folder.startsWith(inMemory))]).toEqual([name, []]);
      expect(readText('Dockerfile')).toContain(`mkdir -p /var/lib/mediagate ${folder} && chown 1000:0`);
    }
  });

  it('starts again what ends, and knows of each whether it works', () => {
    const hasOwnCheck = ({ healthcheck }: ComposeService) => healthcheck?.test !== undefined;
    for (const [name, service] of Object.entries(compose.services)) {
      const endsByItself = name === 'migrate' || name === 'mediagate';
      expect([name, service.restart]).toEqual([name, endsByItself ? 'no' : 'unless-stopped']);
      // The services of the gateway have the check of the image.
      const isServer = name === 'postgres' || name === 'redis' || name === 'backup';
      expect([name, hasOwnCheck(service)]).toEqual([name, isServer]);
      expect([name, service.healthcheck?.disable ?? false]).toEqual([name, endsByItself]);
    }
  });

  it('leaves everybody the ffmpeg of the image, whatever .env says', () => {
    const { instructions } = readDockerfile().image;
    expect(instructions.map(({ text }) => text).join('\n')).toMatch(/apt-get install .* ffmpeg /);
    expect(readDockerfile().environment['FFMPEG_PATH']).toBe('/usr/bin/ffmpeg');
    for (const [, service] of roles) expect(service.environment).not.toHaveProperty('FFMPEG_PATH');
  });

  it('starts services after the tables are there, and the tables after the database is', () => {
    for (const [, service] of roles) {
      expect(service.depends_on?.['migrate']).toEqual({ condition: 'service_completed_successfully' });
      expect(service.depends_on?.['redis']).toEqual({ condition: 'service_healthy' });
    }
    expect(compose.services['migrate']?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
  });

  it('tells every service how many connections all of them may open, migration included', () => {
    const MIGRATION = 2;
    const pools = roles.map(([name]) => poolSizeOf(name));
    const planned = pools.reduce((sum, size) => sum + size, MIGRATION);
    for (const [, { environment }] of roles) expect(environment?.['DATABASE_CONNECTIONS']).toBe(planned);
  });

  describe('the database', () => {
    const OWN = 'postgresql://mediagate:the-postgres_password@postgres:5432/mediagate';
    const POOLED = 'postgresql://mediagate:secret@pgbouncer:6432/mediagate?pgbouncer=true';
    const DIRECT = 'postgresql://mediagate:secret@db.example.com:5432/mediagate';
    const urlsWith = (variables: Record<string, string>) => {
      const { services } = readComposeFile({ ...REQUIRED_VARIABLES, ...variables });
      const urls = Object.entries(services).map(([name, { environment }]) => [name, environment?.['DATABASE_URL']]);
      const { migrate, backup, ...others } = Object.fromEntries(urls.filter(([, url]) => url !== undefined));
      return { migrate, backup, others: [...new Set(Object.values(others))], count: Object.keys(others).length };
    };
    // All roles, and the command line.
    const count = roles.length + 1;

    it('is the one of this file where .env names no other', () => {
      expect(urlsWith({})).toEqual({ migrate: OWN, backup: OWN, others: [OWN], count });
    });

    it('is the one of DATABASE_URL for everybody', () => {
      expect(urlsWith({ DATABASE_URL: DIRECT })).toEqual({ migrate: DIRECT, backup: DIRECT, others: [DIRECT], count });
    });

    it('is migrated and backed up directly where the others go through PgBouncer', () => {
      const urls = urlsWith({ DATABASE_URL: POOLED, MIGRATE_DATABASE_URL: DIRECT });
      expect(urls).toEqual({ migrate: DIRECT, backup: DIRECT, others: [POOLED], count });
    });

    it('and Redis may be others’, one of them or both, and then the containers of this file are left out', () => {
      const redisUrls = ({ services }: ReturnType<typeof readComposeFile>) => [
        ...new Set(Object.values(services).flatMap(({ environment }) => environment?.['REDIS_URL'] ?? [])),
      ];
      const scales = ({ services }: ReturnType<typeof readComposeFile>) =>
        Object.values(services).flatMap(({ image, scale }) => (scale === undefined ? [] : [`${image} ${scale}`]));
      expect(scales(compose)).toEqual(['postgres:18 1', 'redis:7-bookworm 1']);
      const REDIS = 'rediss://mediagate:secret@redis.example.com:6380';
      const others = readComposeFile({ ...REQUIRED_VARIABLES, REDIS_URL: REDIS, REDIS_CONTAINERS: '0' });
      expect(redisUrls(others)).toEqual([REDIS]);
      expect(scales(others)).toEqual(['postgres:18 1', 'redis:7-bookworm 0']);
      expect(redisUrls(compose)).toEqual(['redis://mediagate:the-redis_password@redis:6379']);
    });

    it('may be anywhere: whoever asks it has a way out', () => {
      for (const service of Object.values(compose.services)) {
        if (service.environment?.['DATABASE_URL'] !== undefined) expect(service.networks).toEqual(['data', 'outside']);
      }
    });
  });

  it.each(roles)('%s is given the variables that it reads, and no others', (name, service) => {
    const declared = declaredSettings(name);
    const given = Object.keys(service.environment ?? {});
    expect(given.filter((variable) => !declared.includes(variable))).toEqual([]);
    const settable = [...given, ...Object.keys(readDockerfile().environment)];
    expect(declared.filter((variable) => !settable.includes(variable))).toEqual([]);
  });

  it('has everything of ours trust the authorities of one file of the host, where .env names it', () => {
    const { services, configs } = readComposeFile({ ...REQUIRED_VARIABLES, NODE_EXTRA_CA_CERTS: './ca.pem' });
    expect(configs['authorities']?.file).toBe('./ca.pem');
    // Node takes an empty file for none.
    expect(compose.configs['authorities']?.file).toBe('/dev/null');
    for (const { environment, configs: mounted, command, entrypoint } of Object.values(services)) {
      if ((entrypoint ?? command)?.[0] !== 'node') continue;
      expect(mounted).toEqual([{ source: 'authorities', target: environment?.['NODE_EXTRA_CA_CERTS'] }]);
    }
  });

  it('keeps vendors’ keys from those who call none, and `.env` from everybody', () => {
    const filesOf = ({ env_file = [] }: ComposeService) => env_file.map(({ path }) => path);
    const withVendors = roles.filter(([, service]) => filesOf(service).includes('vendors.env')).map(([name]) => name);
    expect(new Set(withVendors)).toEqual(new Set(['api', ...WORKER_FAMILIES, 'webhook-delivery']));
    for (const service of Object.values(compose.services)) expect(filesOf(service)).not.toContain('.env');
  });

  it('keeps Redis from dropping jobs, and databases from the outside', () => {
    const { redis, postgres } = compose.services;
    expect(compose.configs['redis']?.content).toMatch(/^appendonly yes$/m);
    expect(compose.configs['redis']?.content).toMatch(/^maxmemory-policy noeviction$/m);
    expect(compose.networks['data']).toEqual({ internal: true });
    for (const server of [redis, postgres]) {
      expect(server?.networks).toEqual(['data']);
      expect(server?.ports).toBeUndefined();
      expect(server?.healthcheck?.test).toBeDefined();
    }
  });

  it('publishes the console on this host alone', () => {
    expect(compose.services['console']?.ports).toEqual(['127.0.0.1:8081:8081']);
  });

  it('gives whoever reads channels the folder of their file, in which a file that is replaced is seen', () => {
    const reading = Object.values(compose.services).filter(
      ({ environment, env_file }) => environment?.['MEDIAGATE_CONFIG'] !== undefined && env_file !== undefined,
    );
    // All roles but the console, and the command line.
    expect(reading.length).toBe(roles.length);
    for (const { environment, volumes = [], configs = [] } of reading) {
      const mounts = volumes.filter((volume) => typeof volume === 'object');
      expect(mounts).toEqual([
        {
          type: 'bind',
          source: 'the-mediagate_config_dir',
          target: '/etc/mediagate',
          read_only: true,
          bind: { create_host_path: false },
        },
      ]);
      expect(environment?.['MEDIAGATE_CONFIG']).toBe('/etc/mediagate/channels.yaml');
      expect(configs.map(({ source }) => source)).toEqual(['authorities']);
    }
  });

  it('shares one volume of media among those who read or write files', () => {
    const owners = roles.filter(([, service]) => service.volumes?.includes('media:/var/lib/mediagate'));
    expect(new Set(owners.map(([name]) => name))).toEqual(new Set(['api', ...WORKER_FAMILIES, 'reconciler']));
  });
});

describe('the Dockerfile', () => {
  const { stages, image, environment } = readDockerfile();

  it('builds in one stage and keeps only what runs in the other', () => {
    expect(stages.map(({ name }) => name)).toEqual(['build', undefined]);
    expect(new Set(stages.map(({ from }) => from)).size).toBe(1);
    const copies = image.instructions.filter(({ kind }) => kind === 'COPY');
    for (const { words } of copies) expect(words[0]).toBe('--from=build');
  });

  it('ends as a user that is not root, with a health check, and node as the one process', () => {
    const last = (kind: string) => image.instructions.filter((each) => each.kind === kind).at(-1);
    expect(last('USER')?.text).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(last('HEALTHCHECK')?.text).toContain('CMD ["node", "deploy/image/healthcheck.cjs"]');
    expect(last('CMD')?.words).toEqual(['node', 'services/api/dist/main.js']);
    expect(last('ENTRYPOINT')).toBeUndefined();
  });

  it('takes no secret: neither as an argument nor as a variable', () => {
    expect(readText('Dockerfile')).not.toMatch(/SECRET|PASSWORD|PEPPER|TOKEN|_KEY/);
    expect(Object.keys(environment).sort()).toEqual([
      'FFMPEG_PATH',
      'HEALTH_HOST',
      'HEALTH_PORT',
      'HOST',
      'MEDIAGATE_CONFIG',
      'MEDIAGATE_HOME',
      'NODE_ENV',
      'NODE_OPTIONS',
    ]);
  });
});
