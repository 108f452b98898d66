import { Tabs } from '@mantine/core';
import type { Task } from '../../api/task.ts';
import { CallAsCode } from '../../parts/call-as-code.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Panel } from '../../parts/panel.tsx';
import { submissionBody, submissionPath } from '../../parts/submission.ts';
import { say } from './texts.ts';

/** The task's request, defaults included, and the call that makes it again. */
export function RequestBody({ task }: { task: Task }) {
  const { input = {} } = task;
  const path = submissionPath(task);
  if (Object.keys(input).length === 0) {
    return (
      <Panel title={say('request')}>
        <p className="quiet">{say('request.none')}</p>
      </Panel>
    );
  }
  if (path === undefined) {
    return (
      <Panel title={say('request')} flush>
        <JsonView value={input} />
      </Panel>
    );
  }
  return (
    <Panel title={say('request')} flush>
      <Tabs defaultValue="fields">
        <Tabs.List>
          <Tabs.Tab value="fields">{say('request.fields')}</Tabs.Tab>
          <Tabs.Tab value="code">{say('request.code')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="fields">
          <JsonView value={input} />
        </Tabs.Panel>
        <Tabs.Panel value="code" p="md">
          <CallAsCode path={path} body={submissionBody(task)} />
        </Tabs.Panel>
      </Tabs>
    </Panel>
  );
}
