import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { Document, Pair, Scalar, type ScalarTag, type Tags, YAMLMap, YAMLSeq } from 'yaml';
import { joinField } from './document';
import { readWritten } from './load-settings';
import { plainNumber } from './plain-json';

/** The settings that count in place of those in the file. */
export interface InForce {
  /** Every channel as a file would have it, those of the file in its order. */
  channels: readonly JsonObject[];
  /** Fields of the section `webhooks` that operators have set. */
  webhooks: JsonObject;
  /** Prices that operators have set, as decimal texts: of a task, or by unit. */
  prices: ReadonlyMap<string, string | Readonly<Record<string, string>>>;
}

/**
 * A configuration file that alone says what counts: the file at the path, with what operators have set in the places where it
 * would stand. Secrets stay references, prices exact to the nano-unit. Comments of the file are left out.
 */
export function writeSettings(path: string, { channels, webhooks, prices }: InForce, heading: string): string {
  const { value, numberText } = readWritten(path);
  const withWebhooks =
    Object.keys(webhooks).length > 0 ? { webhooks: { ...mapOf(value['webhooks']), ...webhooks } } : {};
  const { prices: priced, ...others } = { ...value, channels: [...channels], ...withWebhooks } as JsonObject;
  const document = new Document(null, { customTags: withSources });
  const node = toNode(others, '', numberText) as YAMLMap;
  const priceMap = toNode(mapOf(priced), 'prices', numberText) as YAMLMap;
  for (const [key, price] of prices) priceMap.set(key, priceNode(price));
  if (priceMap.items.length > 0) node.set('prices', priceMap);
  document.contents = node as never;
  document.commentBefore = ` ${heading}`;
  return document.toString({ lineWidth: 0 });
}

function mapOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

type NumberText = (field: string) => string | undefined;

/** Numbers as they are written in the file, where they are still the same. */
function toNode(value: Json, field: string, numberText: NumberText): YAMLMap | YAMLSeq | Scalar {
  if (Array.isArray(value)) {
    const list = new YAMLSeq();
    for (const [index, item] of value.entries()) list.add(toNode(item, `${field}[${index}]`, numberText));
    return list;
  }
  if (isJsonObject(value)) {
    const map = new YAMLMap();
    for (const [name, member] of Object.entries(value)) {
      map.add(new Pair(name, toNode(member as Json, joinField(field, name), numberText)));
    }
    return map;
  }
  if (typeof value !== 'number') return new Scalar(value);
  const written = numberText(field);
  return numberNode(written !== undefined && Number(written) === value ? written : plainNumber(value));
}

function priceNode(price: string | Readonly<Record<string, string>>): YAMLMap | Scalar {
  if (typeof price === 'string') return numberNode(price);
  const map = new YAMLMap();
  for (const [unit, text] of Object.entries(price)) map.add(new Pair(unit, numberNode(text)));
  return map;
}

function numberNode(text: string): Scalar {
  const scalar = new Scalar(Number(text));
  scalar.source = text;
  return scalar;
}

/** The library would write a number from its float. */
function withSources(tags: Tags): Tags {
  const numbers = tags.filter((tag): tag is ScalarTag => typeof tag !== 'string' && isNumberTag(tag as ScalarTag));
  const others = tags.filter((tag) => !numbers.includes(tag as ScalarTag));
  const stringify: NonNullable<ScalarTag['stringify']> = ({ source, value }) => source ?? String(value);
  return [...numbers.map((tag) => ({ ...tag, stringify })), ...others];
}

function isNumberTag({ tag }: ScalarTag): boolean {
  return tag === 'tag:yaml.org,2002:int' || tag === 'tag:yaml.org,2002:float';
}
