/*
 * Styles that are there from the first page on: what the shell and the head of Data Entry are made of, and nothing
 * else, since the first rows wait for it. Those of Mantine lie in a cascade layer, so ours always win, whichever file
 * a browser happens to load last. Order matters within the layer: the simple before the composed.
 */
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/VisuallyHidden.layer.css';
import '@mantine/core/styles/Loader.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/Button.layer.css';
import './mantine.css';
