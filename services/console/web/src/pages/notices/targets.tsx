import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { IconAction } from '../../parts/icon-action.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Panel } from '../../parts/panel.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { DeliveryStatus, Status } from '../../parts/status.tsx';
import { Table, TableSkeleton } from '../../parts/table.tsx';
import type { Audience } from './audience.ts';
import type { Kind } from './notice-kinds.ts';
import { type Target, targetsQuery } from './queries.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { TargetDialog } from './target-dialog.tsx';
import { say } from './texts.ts';
import { useTest } from './use-test.ts';

/** Where notices go, and what became of the latest there. */
export function Targets({ audience }: { audience: Audience }) {
  const { data, error, refetch } = useQuery(targetsQuery(audience));
  const [adds, setAdds] = useState(false);
  const [changed, setChanged] = useState<Target>();
  const [removed, setRemoved] = useState<Target>();
  const [secret, setSecret] = useState('');
  const add = audience.mayChange && (
    <Button size="compact-xs" variant="default" leftSection={<Plus size={12} />} onClick={() => setAdds(true)}>
      {say('target.add')}
    </Button>
  );
  return (
    <Panel title={say('targets')} aside={add} flush>
      {error && <Failure error={error} retry={refetch} />}
      {!error && data === undefined && <TableSkeleton rows={2} />}
      {data?.length === 0 && (
        <Empty icon={Send} title={say('targets.none')}>
          {say('targets.none.about')}
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <TargetTable targets={data} audience={audience} onChange={setChanged} onRemove={setRemoved} />
      )}
      {adds && (
        <TargetDialog
          audience={audience}
          onDone={({ secret: made = '' }) => {
            setAdds(false);
            setSecret(made);
          }}
          onClose={() => setAdds(false)}
        />
      )}
      {changed !== undefined && (
        <TargetDialog
          audience={audience}
          changed={changed}
          onDone={() => setChanged(undefined)}
          onClose={() => setChanged(undefined)}
        />
      )}
      {removed !== undefined && (
        <RemoveDialog audience={audience} target={removed} onClose={() => setRemoved(undefined)} />
      )}
      {secret !== '' && (
        <SecretDialog
          secret={secret}
          title={say('secret')}
          about={say('secret.about')}
          kept={say('secret.kept')}
          onClose={() => setSecret('')}
        />
      )}
    </Panel>
  );
}

interface TargetTableProps {
  targets: readonly Target[];
  audience: Audience;
  onChange(target: Target): void;
  onRemove(target: Target): void;
}

function TargetTable({ targets, audience, ...choices }: TargetTableProps) {
  return (
    <Table
      caption={say('targets')}
      rows={targets}
      rowId={({ id }) => id}
      columns={[
        {
          header: say('target.address'),
          long: 'cut',
          cell: ({ address, medium }) => (
            <span title={address}>
              {address}
              <div className="quiet">{say(`medium.${medium as 'email'}`)}</div>
            </span>
          ),
        },
        { header: say('target.kinds'), long: 'wrap', wideOnly: true, cell: kindsText },
        { header: say('target.last'), cell: (target) => <Last target={target} /> },
        {
          header: say('target.acts'),
          headerHidden: true,
          align: 'end',
          cell: (target) => audience.mayChange && <Acts target={target} audience={audience} {...choices} />,
        },
      ]}
    />
  );
}

function kindsText({ kinds }: Target): string {
  return kinds.map((kind) => say(`kind.${kind as Kind}`)).join(', ') || say('target.all');
}

/** The outcome of the newest message; of an address to which no mail is sent, why not. */
function Last({ target: { reachable, last_message: last } }: { target: Target }) {
  if (!reachable) return <Status tone="bad" text={say('target.unreachable')} />;
  if (last === null) return <span className="quiet">{say('target.never')}</span>;
  return (
    <span className="row">
      <DeliveryStatus state={last.state} />
      {last.reason !== null && <code>{last.reason}</code>}
      <span className="quiet">
        <Moment at={last.created} />
      </span>
    </span>
  );
}

function Acts({ target, audience, onChange, onRemove }: Omit<TargetTableProps, 'targets'> & { target: Target }) {
  const test = useTest(audience);
  const { address: name } = target;
  return (
    <>
      <IconAction
        icon={Send}
        label={say('target.test.one', { name })}
        loading={test.isPending}
        onClick={() => test.mutate(target.id)}
      />
      <IconAction icon={Pencil} label={say('target.change.one', { name })} onClick={() => onChange(target)} />
      <IconAction icon={Trash2} label={say('target.remove.one', { name })} onClick={() => onRemove(target)} />
    </>
  );
}
