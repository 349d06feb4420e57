// Two processes with ioredis and node-redlock: one has the lock, the other is refused.
import { Redis } from 'ioredis';
import Redlock from 'redlock';

const [a, b] = ['node-a', 'node-b'].map((connectionName) => new Redis(process.argv[2], { connectionName }));
const lock = await new Redlock([a], { retryCount: 0 }).acquire(['order'], 60000);
await new Redlock([b], { retryCount: 0 }).acquire(['order'], 60000).then(() => process.exit(2), () => {});
await (await lock.extend(120000)).release();
a.disconnect();
b.disconnect();
