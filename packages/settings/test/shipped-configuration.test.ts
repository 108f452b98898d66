import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FAMILIES } from '@mediagate/contracts';
import { simulatorKeys } from '@mediagate/testkit/servers';
import { ownProtocols, protocolOf } from '@mediagate/upstreams';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { type Channel, checkCoverage, editorSchema, openSettings } from '../src';

const path = (name: string) => join(__dirname, '../../../deploy/config', name);

const SIMULATOR_SOURCES = join(__dirname, '../../../simulator/src');
const SIMULATOR_URL = 'http://127.0.0.1:9900';
const ENV = { ...simulatorKeys(), SIMULATOR_URL, DEMO_CALLBACK_ORIGIN: 'http://127.0.0.1:9901' };

/** Where and when the vendors' names of the example were seen. */
interface Witness {
  names: string[];
  seen: string;
  source: string;
  listed: string;
  until?: string;
}

const WITNESSES = parse(readFileSync(path('example-names.yaml'), 'utf8')) as Record<string, Witness[]>;

interface WrittenChannel {
  id: string;
  models: Record<string, string | { name: string; served_until?: string }>;
}

/** A template is a name of the operator's own, its endpoints are the vendor's; voices are names, too. */
function vendorNames({ models, options }: Channel): string[] {
  const templates = options['templates'] as Record<string, { endpoint: string }[]> | undefined;
  const names = templates
    ? [...models.values()].flatMap((name) => templates[name]?.map(({ endpoint }) => endpoint) ?? name)
    : [...models.values()];
  return [...new Set([...names, ...Object.values((options['voices'] ?? {}) as Record<string, string>)])].sort();
}

describe('simulator.yaml', () => {
  const { settings, catalogue } = openSettings(path('simulator.yaml'), ENV);
  const { channels } = settings;

  it('serves every model by every protocol', () => {
    expect(checkCoverage(settings, catalogue.modelIds)).toEqual([]);
    expect(new Set(channels.map(({ protocol }) => protocol))).toEqual(new Set(ownProtocols().keys()));
  });

  it('serves every model to test keys, too', () => {
    const ofTests = channels.filter(({ isTest }) => isTest).map((channel) => ({ ...channel, isTest: false }));
    expect(checkCoverage({ channels: ofTests }, catalogue.modelIds)).toEqual([]);
  });

  it('calls every vendor of the simulator by a key of its own, and nobody else', () => {
    const vendors = readdirSync(SIMULATOR_SOURCES).filter((name) =>
      existsSync(join(SIMULATOR_SOURCES, name, 'vendor.ts')),
    );
    const called = channels.filter(({ baseUrl }) => baseUrl.startsWith(SIMULATOR_URL));
    const others = channels.filter((channel) => !called.includes(channel));
    expect(new Set(others.map(({ protocol }) => protocol))).toEqual(new Set(['local-audio']));
    const keyed = called.map(({ apiKey }) => /^sim-([a-z]+)-/.exec(apiKey)?.[1]);
    expect([...new Set(keyed)].sort()).toEqual(vendors.sort());
    for (const { baseUrl, apiKey } of called) {
      // The image tool's adapter puts its vendor's name into the path itself.
      const vendor = new URL(baseUrl).pathname.split('/')[1] || 'mj';
      expect(apiKey).toContain(`sim-${vendor}-`);
    }
  });

  it('lets callbacks go to the demo receiver alone', () => {
    expect(settings.webhooks).toMatchObject({ allowOrigins: ['http://127.0.0.1:9901'], allowPrivateCidrs: [] });
    expect(settings.media.allowPrivateCidrs).toEqual([]);
  });
});

describe('example.yaml', () => {
  const text = readFileSync(path('example.yaml'), 'utf8');
  // Only secrets are variables: a process that holds none of them reads all the rest.
  const env = Object.fromEntries(
    [...text.matchAll(/\$\{(\w+_(?:KEY|TOKEN)\w*)\}/g)].map(([, name]) => [name, 'a secret']),
  );

  it('loads with the variables it names, and shows how every protocol and a model of every family is written', () => {
    const { settings, catalogue } = openSettings(path('example.yaml'), env);
    expect(new Set(settings.channels.map(({ protocol }) => protocol))).toEqual(new Set(ownProtocols().keys()));
    const served = settings.channels.flatMap(({ models }) => [...models.keys()]);
    const families = served.map((model) => catalogue.find(model)?.family ?? 'moderation');
    expect(new Set(families)).toEqual(new Set([...FAMILIES, 'moderation']));
  });

  it('has two vendors of every image, video and speech model but those whose reason docs/second-vendors.md gives', () => {
    const { settings, catalogue } = openSettings(path('example.yaml'), env);
    const written = readFileSync(join(__dirname, '../../../docs/second-vendors.md'), 'utf8');
    const rows = [...written.matchAll(/^\| `([\w.-]+)` \| (.+) \| (.*?) ?\|$/gm)].map(
      ([, model, channels = '', reason]) => {
        return { model, channels: channels.replaceAll('`', '').split(', '), isExcused: reason !== '' };
      },
    );
    const servedBy = (model: string) =>
      settings.channels
        .filter(({ models, isTest }) => models.has(model) && !isTest)
        .toSorted((a, b) => a.priority - b.priority);
    const hosts = (model: string) => new Set(servedBy(model).map(({ baseUrl }) => new URL(baseUrl).host));
    const expected = catalogue.modelIds
      .filter((model) => servedBy(model).length > 0 && !settings.models?.some(({ id }) => id === model))
      .map((model) => ({ model, channels: servedBy(model).map(({ id }) => id), isExcused: hosts(model).size < 2 }));
    expect(rows.toSorted((a, b) => (String(a.model) < String(b.model) ? -1 : 1))).toEqual(expected);
  });

  it('has no vendor’s name without a witness, and the witnesses speak of no other', () => {
    const { settings } = openSettings(path('example.yaml'), env);
    const named = Object.fromEntries(settings.channels.map((channel) => [channel.id, vendorNames(channel)]));
    const seen = Object.entries(WITNESSES).map(([id, groups]) => [id, groups.flatMap(({ names }) => names).sort()]);
    expect(Object.fromEntries(seen)).toEqual(named);
    for (const { seen: day, source, listed } of Object.values(WITNESSES).flat()) {
      expect(day).toMatch(/^20\d\d-(0[1-9]|1[0-2])(-\d\d)?$/);
      expect(source.length).toBeGreaterThan(0);
      expect(['host', 'unlisted', 'none', 'own']).toContain(listed);
    }
  });

  it('says of each model when its vendor ends it, where a witness does', () => {
    const { channels } = parse(text) as { channels: WrittenChannel[] };
    const written = channels.flatMap(({ id, models }) => {
      const endOf = (name: string) => WITNESSES[id]?.find(({ names }) => names.includes(name))?.until;
      return Object.entries(models).map(([model, value]) => {
        const { name, served_until: until } = typeof value === 'string' ? { name: value } : value;
        return { of: `${id} ${model}`, until, expected: endOf(name) };
      });
    });
    expect(written.filter(({ until, expected }) => until !== expected)).toEqual([]);
    expect(written.filter(({ until }) => until !== undefined).length).toBeGreaterThan(0);
  });

  it('shows S3 storage in lines that load once they are uncommented', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'mediagate-example-')), 's3.yaml');
    writeFileSync(file, text.replace('  driver: filesystem\n', '').replace(/^ {2}# (\w+: )/gm, '  $1'));
    expect(openSettings(file, env).settings.storage).toMatchObject({
      driver: 's3',
      bucket: 'mediagate-results',
    });
    rmSync(dirname(file), { recursive: true });
  });
});

describe.each(['simulator.yaml', 'example.yaml'])('the templates of %s', (name) => {
  const text = readFileSync(path(name), 'utf8');
  const env = Object.fromEntries(
    [...text.matchAll(/\$\{(\w+)\}/g)].map(([, variable]) => [variable, 'http://a.example']),
  );
  const { settings, catalogue } = openSettings(path(name), env);
  const templated = settings.channels.flatMap((channel) =>
    channel.options['templates'] === undefined
      ? []
      : [...channel.models].map(([id, model]) => ({ channel, id, model })),
  );

  it.each(templated)('say an example of $id', ({ channel, id, model }) => {
    const { protocol, baseUrl, apiKey, options } = channel;
    const endpoint = { channelId: channel.id, baseUrl, apiKey, model, options };
    const lacks = catalogue.entries
      .filter((entry) => entry.id === id)
      .flatMap((entry) => entry.examples.map((example) => ({ entry, parsed: entry.parse(example) })))
      .map(({ entry, parsed }) => {
        if (!parsed.ok) throw new Error(`an example of ${id} is refused`);
        const files = entry.media(parsed.input).map(({ field, role }) => ({ field, role }));
        return protocolOf(protocol, ownProtocols())?.lacks?.({
          request: entry.request(parsed.input, []),
          files,
          endpoint,
        });
      });
    expect(lacks).toContain(undefined);
  });
});

describe('mediagate.schema.json', () => {
  const schema = JSON.parse(readFileSync(path('mediagate.schema.json'), 'utf8'));
  const accepts = new Ajv({ strict: false, logger: false }).compile(schema);

  it('is what `npx mediagate channel schema` prints', () => {
    expect(schema).toEqual(JSON.parse(JSON.stringify(editorSchema())));
  });

  it.each(['simulator.yaml', 'example.yaml'])('lets an editor find nothing wrong with %s', (name) => {
    accepts(parse(readFileSync(path(name), 'utf8')));
    expect(accepts.errors ?? []).toEqual([]);
  });

  it('lets an editor find a misspelt model, protocol or key', () => {
    const [channel] = parse(readFileSync(path('simulator.yaml'), 'utf8')).channels;
    expect(accepts({ channels: [channel] })).toBe(true);
    expect(accepts({ channels: [{ ...channel, protocol: 'openai-image' }] })).toBe(false);
    expect(accepts({ channels: [{ ...channel, models: { 'imagegen-1': 'x' } }] })).toBe(false);
    expect(accepts({ channels: [{ ...channel, wieght: 1 }] })).toBe(false);
  });
});
