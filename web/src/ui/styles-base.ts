/*
 * Styles of every page. Only the shell and the header of Data Entry, because its first rows wait for them. Mantine's
 * are in a cascade layer, so ours take precedence in any load order. Order matters within the layer: simple components
 * before composed ones.
 */
import './reset.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/Loader.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/Button.layer.css';
import './mantine.css';
import './shared.css';
