import type { UserPermissions } from '@forecourt/contract/permissions';
import type { ReactNode } from 'react';
import { formatCount } from '../../platform/formats.ts';
import { texts } from '../../texts/permissions.ts';
import styles from './PermissionsScreen.module.css';

type Resources = UserPermissions['resources'];

const kinds = Object.keys(texts.resources) as (keyof Resources)[];
const columns = ['owned', 'canView', 'canEdit'] as const;

/** Number of records of each kind that a user owns or has a share of. */
export function ResourceTable({ resources }: { resources: Resources }): ReactNode {
  return (
    <table className={`ui-table ${styles.resources}`} data-figures>
      <thead>
        <tr>
          <th scope="col">{texts.kind}</th>
          {columns.map((column) => (
            <th key={column} scope="col">
              {texts[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {kinds.map((kind) => (
          <tr key={kind}>
            <th scope="row">{texts.resources[kind]}</th>
            {columns.map((column) => (
              <td key={column}>{formatCount(resources[kind][column].length)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
