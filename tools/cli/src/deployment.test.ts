import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@mediagate/host';
import { cliSettings } from './config';
import { type Deployment, findDeployment } from './deployment';
import { Refusal } from './refusal';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mediagate-home-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const RUN = { databaseUrl: 'postgresql://run/db', redisUrl: 'redis://run', simulatorUrl: 'http://127.0.0.1:9' };

function deployment(env: Record<string, string> = {}, configFile?: string): Deployment {
  const all = { MEDIAGATE_HOME: home, ...env };
  return findDeployment(loadConfig(cliSettings, all), all, configFile);
}

const write = (file: string, content: unknown) => writeFileSync(join(home, file), JSON.stringify(content));

describe('finding the deployment', () => {
  it('takes everything from the environment first', () => {
    write('run.json', RUN);
    write('secrets.json', { keyPepper: 'kept' });
    const found = deployment({
      DATABASE_URL: RUN.databaseUrl,
      REDIS_URL: 'redis://env',
      MEDIAGATE_KEY_PEPPER: 'given',
    });
    expect([found.databaseUrl(), found.redisUrl(), found.pepper()]).toEqual([RUN.databaseUrl, 'redis://env', 'given']);
  });

  it('takes the rest from what npm start wrote', () => {
    write('run.json', RUN);
    write('secrets.json', { keyPepper: 'kept' });
    const found = deployment();
    expect([found.databaseUrl(), found.redisUrl(), found.pepper()]).toEqual([RUN.databaseUrl, RUN.redisUrl, 'kept']);
  });

  it('does not mix the Redis and the secrets of one deployment with the database of another', () => {
    write('run.json', RUN);
    write('secrets.json', { keyPepper: 'kept' });
    const found = deployment({ DATABASE_URL: 'postgresql://other/db' });
    expect(found.redisUrl()).toBeUndefined();
    expect(() => found.pepper()).toThrow(/secrets do not fit: set MEDIAGATE_KEY_PEPPER/);
    expect(deployment({ DATABASE_URL: RUN.databaseUrl }).pepper()).toBe('kept');
  });

  it('says what to set when there is nothing', () => {
    expect(() => deployment().databaseUrl()).toThrow(
      new Refusal(
        `no database: set DATABASE_URL, or run \`npm start\`, which writes ${home}/run.json once it is ready`,
      ),
    );
    expect(() => deployment().pepper()).toThrow(/set MEDIAGATE_KEY_PEPPER as for the API, or run `npm start`/);
    expect(deployment().redisUrl()).toBeUndefined();
  });

  it.each(['{', '[]', '"text"'])('says which file is damaged when it holds %s, without repeating it', (text) => {
    writeFileSync(join(home, 'run.json'), text);
    expect(() => deployment().databaseUrl()).toThrow(
      new Refusal(`${home}/run.json is damaged: it does not hold a JSON object`),
    );
  });

  it('takes the configuration file of the command line, of the environment, of npm start, in this order', () => {
    const fromEnvironment = { MEDIAGATE_CONFIG: '/env.yaml' };
    expect(deployment().configuration().path).toMatch(/deploy\/config\/simulator\.yaml$/);
    write('run.json', { ...RUN, configFile: '/started.yaml' });
    const started = deployment().configuration();
    expect(started.path).toBe('/started.yaml');
    expect(started.env).toMatchObject({ SIMULATOR_URL: RUN.simulatorUrl });
    expect(deployment(fromEnvironment).configuration().path).toBe('/env.yaml');
    expect(deployment(fromEnvironment, '/flag.yaml').configuration().path).toBe('/flag.yaml');
    const other = deployment({ DATABASE_URL: 'postgresql://other/db' }).configuration();
    expect(other.path).toMatch(/simulator\.yaml$/);
  });

  it('gives the variables of the simulator to its own configuration, and to any beside npm start, as its services have them', () => {
    const alone = deployment({ MEDIAGATE_CONFIG: '/etc/channels.yaml' }).configuration();
    expect(alone.env).not.toHaveProperty('SIMULATOR_URL');
    write('run.json', RUN);
    const own = deployment({ SIM_OPENAI_KEY: 'mine' }).configuration();
    expect(own.path).toMatch(/deploy\/config\/simulator\.yaml$/);
    expect(own.env).toMatchObject({
      SIMULATOR_URL: RUN.simulatorUrl,
      SIM_OPENAI_KEY: 'mine',
      SIM_ARK_KEY: 'sim-ark-key',
    });
    const copy = deployment({}, '/etc/channels.yaml').configuration();
    expect(copy).toMatchObject({ path: '/etc/channels.yaml', env: { SIMULATOR_URL: RUN.simulatorUrl } });
    const other = { DATABASE_URL: 'postgresql://other/db', MEDIAGATE_CONFIG: '/etc/channels.yaml' };
    expect(deployment(other).configuration().env).not.toHaveProperty('SIMULATOR_URL');
  });
});
