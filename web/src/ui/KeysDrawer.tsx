import type { ReactNode } from 'react';
import { SideDrawer } from './SideDrawer.tsx';
import styles from './KeysDrawer.module.css';

type Keys = readonly (readonly [key: string, description: string])[];
type KeysDrawerProps = {
  title: string;
  groups: readonly (readonly [name: string, keys: Keys])[];
  onClose: () => void;
};

/** The keyboard shortcuts of a screen (docs/product/screens.md, Command palette and keys). */
export function KeysDrawer({ title, groups, onClose }: KeysDrawerProps): ReactNode {
  return (
    <SideDrawer title={title} width={420} onClose={onClose}>
      {groups.map(([name, keys]) => (
        <section key={name} className={styles.group}>
          <h3 className="ui-mb-2">{name}</h3>
          <dl className={styles.keys}>
            {keys.map(([key, description]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd>{description}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </SideDrawer>
  );
}
