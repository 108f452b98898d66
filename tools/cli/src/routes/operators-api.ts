import { createServer, type IncomingMessage, request as openRequest, type Server } from 'node:http';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createOperatorsRouter, listOperatorOperations, type OperatorRequest } from '@mediagate/api/operators-router';
import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type { Session } from '../session';
import { bodyValue } from './body-value';
import { openOperators } from './open-operators';
import { RouteRefusal } from './route-refusal';
import type { Ask, Given } from './routed-command';

export interface OperatorsApi {
  ask: Ask;
  operation(id: string): OperatorRequest;
}

/** The operators' routes in this process, without a port: each request has a connection in memory. */
export async function openOperatorsApi(session: Session): Promise<OperatorsApi> {
  const operations = new Map(listOperatorOperations().map((each) => [each.entry as string, each]));
  let fault: unknown;
  const keepFault: Logger = {
    info: ignore,
    debug: ignore,
    warn: ignore,
    error: (_event, fields) => {
      fault = fields?.['error'];
    },
    child: () => keepFault,
  };
  const server = createServer(createOperatorsRouter(await openOperators(session), session.actor, keepFault));
  const operation = (id: string) => {
    const found = operations.get(id);
    if (!found) throw new Error(`there is no operation ${id}`);
    return found;
  };
  return {
    operation,
    async ask(id, fields = {}) {
      fault = undefined;
      const { status, answer } = await exchange(server, callOf(operation(id), fields)).catch((error: unknown) => {
        // The router logs the error that it destroys a connection for.
        throw fault ?? error;
      });
      if (status >= 500 && fault !== undefined) throw fault;
      if (status >= 400) throw new RouteRefusal(status, answer);
      const { code: _code, ...rest } = answer;
      return rest;
    },
  };
}

const ignore = () => undefined;

interface Call {
  method: string;
  path: string;
  body: string | undefined;
}

/** Puts each field where the operation has it: in its path, its query, or its body. */
function callOf({ method, path, parameters = [], body }: OperatorRequest, fields: Given): Call {
  const queries = new Set(parameters.flatMap((each) => (each.in === 'query' ? [each.name.replace(/\..*$/, '')] : [])));
  const schemas = body && 'content' in body ? propertiesOf(body.content['application/json']?.schema) : {};
  const query = new URLSearchParams();
  const sent: Record<string, Json> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || path.includes(`{${name}}`)) continue;
    if (queries.has(name)) appendTo(query, name, value);
    else sent[name] = bodyValue(value, schemas[name]);
  }
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(fields[name])));
  const words = query.size === 0 ? '' : `?${query}`;
  const hasBody = method === 'patch' || Object.keys(sent).length > 0;
  return { method: method.toUpperCase(), path: `${target}${words}`, body: hasBody ? JSON.stringify(sent) : undefined };
}

/** `metadata.<name>` is one parameter for each name. */
function appendTo(query: URLSearchParams, name: string, value: Json): void {
  if (!isJsonObject(value)) query.append(name, String(value));
  else for (const [each, text] of Object.entries(value)) query.append(`${name}.${each}`, String(text));
}

function propertiesOf(schema: JsonObject | undefined): Readonly<Record<string, Json | undefined>> {
  const properties = schema?.['properties'];
  return isJsonObject(properties) ? properties : {};
}

async function exchange(server: Server, { method, path, body }: Call): Promise<{ status: number; answer: JsonObject }> {
  const [ours, theirs] = duplexPair();
  server.emit('connection', theirs);
  const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const request = openRequest({ method, path, headers, createConnection: () => ours as never });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
    request.end(body);
  });
  const answer: unknown = JSON.parse(await text(response));
  return { status: response.statusCode ?? 0, answer: isJsonObject(answer) ? answer : {} };
}
