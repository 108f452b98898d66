import { Button } from '@mantine/core';
import { Play, Square } from 'lucide-react';
import { useState } from 'react';
import { CallAsCode } from '../../parts/call-as-code.tsx';
import { Panel } from '../../parts/panel.tsx';
import { submitted } from '../../parts/submitted.ts';
import { FieldInput } from './field-input.tsx';
import { bodyOf, type Field, fieldsOf, knownValues, type Values } from './fields.ts';
import { pathOf } from './models.ts';
import type { Operation } from './operation.ts';
import classes from './operation-form.module.css';
import { Price } from './price.tsx';
import { RunResult } from './run-result.tsx';
import { say } from './texts.ts';
import { useEstimate } from './use-estimate.ts';
import { type Run, useRun } from './use-run.ts';

interface OperationFormProps {
  model: string;
  operation: Operation;
  /** The values of an earlier task; undefined: those of the first example. */
  start: Values | undefined;
}

/** The fields to send, what they cost, what came out, and the same as code. */
export function OperationForm({ model, operation, start }: OperationFormProps) {
  const { schema, examples, write = bodyOf } = operation;
  const [values, setValues] = useState<Values>(() => knownValues(schema, start ?? examples[0] ?? {}));
  const path = pathOf(operation.operation) ?? '';
  const body = write(model, values);
  const judged = useEstimate(path, body);
  const run = useRun(path);
  const submit = submitted(() => run.mutate(body));
  const faults = new Map(
    (run.fault ?? judged.error)?.faults.map(({ param, message }) => [fieldNameOf(param), message]),
  );
  const { own, common } = fieldsOf(schema);
  const inputs = (fields: readonly Field[]) =>
    fields.map((field) => (
      <FieldInput
        key={field.name}
        field={field}
        value={values[field.name]}
        fault={faults.get(field.name)}
        onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
      />
    ));
  return (
    <div className={classes.columns}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <Panel title={say('fields')}>
          <div className="stack">
            {inputs(own)}
            {common.length > 0 && (
              <details>
                <summary>{say('fields.common')}</summary>
                <div className={classes.common}>{inputs(common)}</div>
              </details>
            )}
          </div>
        </Panel>
        <div className={classes.run}>
          <Price judged={judged} />
          <RunButton run={run} />
        </div>
      </form>
      <div className="stack">
        <RunResult run={run} />
        <Panel title={say('code')}>
          <CallAsCode path={path} body={body} />
        </Panel>
      </div>
    </div>
  );
}

function RunButton({ run: { stop, isPending } }: { run: Run }) {
  return stop === undefined ? (
    <Button type="submit" size="sm" leftSection={<Play size={14} />} loading={isPending}>
      {say('run')}
    </Button>
  ) : (
    <Button size="sm" variant="default" leftSection={<Square size={14} />} onClick={stop}>
      {say('stop')}
    </Button>
  );
}

/** `image_urls[2]` is a fault of `image_urls`. */
function fieldNameOf(param: string | undefined): string {
  return param?.split(/[[.]/)[0] ?? '';
}
