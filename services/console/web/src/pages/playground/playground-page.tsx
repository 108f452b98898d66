import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { taskQuery } from '../../api/task.ts';
import { Failure } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Panel } from '../../parts/panel.tsx';
import { TableSkeleton } from '../../parts/table.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { modelChoices, modelsQuery, operationsQuery } from './models.ts';
import type { Operation } from './operation.ts';
import { OperationForm } from './operation-form.tsx';
import { say } from './texts.ts';

const FIRST_MODEL = 'imagegen-2.5-flare';

/** A form for each operation of each model, made of its schema; `?from=` begins with the body of an earlier task. */
export default function PlaygroundPage() {
  const [words, change] = useAddress();
  const from = words.get('from') ?? '';
  const source = useQuery({ ...taskQuery(from), enabled: from !== '' });
  const models = useQuery(modelsQuery);
  const choices = modelChoices(models.data ?? []);
  const model = words.get('model') ?? source.data?.model ?? FIRST_MODEL;
  const error = models.error ?? source.error;
  return (
    <>
      <PageHead title={say('title')} />
      {error && <Failure error={error} retry={() => Promise.all([models.refetch(), source.refetch()])} />}
      <div className="stack">
        <Panel>
          <Select
            label={say('model')}
            searchable
            allowDeselect={false}
            data={choices}
            value={model}
            onChange={(next) => change({ model: next ?? '', operation: '', from: '' })}
          />
        </Panel>
        {from !== '' && source.isPending ? (
          <TableSkeleton rows={6} />
        ) : (
          <Operations key={`${model} ${from}`} model={model} start={source.data?.input} />
        )}
      </div>
    </>
  );
}

interface OperationsProps {
  model: string;
  start: Operation['examples'][number] | undefined;
}

function Operations({ model, start }: OperationsProps) {
  const { data, error, refetch } = useQuery(operationsQuery(model));
  const [chosen, setChosen] = useState<string>();
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <TableSkeleton rows={6} />;
  const operation = data.find(({ operation }) => operation === chosen) ?? data.find(isFirst) ?? data[0];
  if (operation === undefined) return <p>{say('model.none')}</p>;
  return (
    <>
      {data.length > 1 && (
        <Select
          label={say('operation')}
          allowDeselect={false}
          searchable
          data={data.map(({ operation }) => operation)}
          value={operation.operation}
          onChange={(next) => setChosen(next ?? undefined)}
        />
      )}
      <OperationForm key={operation.operation} model={model} operation={operation} start={start} />
    </>
  );
}

/** Whether it is the one of several operations that needs no earlier task. */
function isFirst({ operation }: Operation): boolean {
  return operation === 'music.create' || operation === 'imgtool.imagine';
}
