/** The fields of a node of a plan that are read here, as `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)` names them. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  'Join Filter'?: string;
  Filter?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

const SCANS = /Scan$/;

/** The nodes that read a table or an index. */
function scansOf(plan: PlanNode): PlanNode[] {
  return nodesOf(plan).filter((node) => SCANS.test(node['Node Type']) && (node['Relation Name'] ?? node['Index Name']));
}

/** Rows that its scans looked at, those that they threw away too; of one table, or of all tables and indexes. */
export function rowsRead(plan: PlanNode, table?: string): number {
  const scans = scansOf(plan).filter((scan) => table === undefined || scan['Relation Name'] === table);
  const rows = scans.map((scan) => {
    const removed = (scan['Rows Removed by Filter'] ?? 0) + (scan['Rows Removed by Index Recheck'] ?? 0);
    return ((scan['Actual Rows'] ?? 0) + removed) * (scan['Actual Loops'] ?? 0);
  });
  return Math.round(rows.reduce((sum, each) => sum + each, 0));
}

/** Pages of 8 KB that it looked at. One that only calls a function reads none: the statements of the function have theirs. */
export function pagesRead(plan: PlanNode): number {
  if (scansOf(plan).length === 0) return 0;
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
}

/** A scan of a table by the rows that others have found in indexes. */
const BY_OTHERS = 'Bitmap Heap Scan';

/** Names what its scans use, as `tasks_pkey`, or the table where it is read without an index. */
export function placesOf(plan: PlanNode): string[] {
  return [
    ...new Set(
      scansOf(plan).flatMap((scan) => {
        if (scan['Node Type'] === BY_OTHERS) return [];
        const place = scan['Index Name'] ?? `${scan['Relation Name']} without an index`;
        return scan['Node Type'].startsWith('Index') && scan['Index Cond'] === undefined
          ? `${place} in its order`
          : place;
      }),
    ),
  ];
}

/** The tables that it reads from end to end. */
export function scannedWhole(plan: PlanNode): string[] {
  const scans = scansOf(plan).filter((scan) => scan['Node Type'].endsWith('Seq Scan'));
  return scans.map((scan) => scan['Relation Name'] ?? '');
}
