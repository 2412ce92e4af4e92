// Playwright's driver for many clients, where its own (`run-driver` of coreBundle.js) is for one:
// `node driver.cjs PACKAGE SOCKET`. It ends with its standard input.
const net = require("node:net");
const [packageFolder, path] = process.argv.slice(2);
const { server } = require(`${packageFolder}/lib/coreBundle`);

net.createServer((socket) => {
    const connection = new server.DispatcherConnection();
    let driver;
    const root = new server.RootDispatcher(connection, async (scope, { sdkLanguage }) => {
        const playwright = server.createPlaywright({ sdkLanguage, isClientCollocatedWithServer: true });
        driver = new server.PlaywrightDispatcher(scope, playwright);
        return driver;
    });
    connection.onmessage = (message) => {
        const content = Buffer.from(JSON.stringify(message));
        const size = Buffer.alloc(4);
        size.writeUInt32LE(content.length);
        socket.write(Buffer.concat([size, content]));
    };
    let pending = Buffer.alloc(0);
    socket.on("data", (data) => {
        pending = Buffer.concat([pending, data]);
        while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32LE()) {
            const end = 4 + pending.readUInt32LE();
            const message = JSON.parse(pending.subarray(4, end));
            pending = pending.subarray(end);
            setImmediate(() => connection.dispatch(message));
        }
    });
    socket.on("error", () => {});
    socket.on("close", async () => {
        connection.onmessage = () => {};
        await root.stopPendingOperations(new Error("The client is gone")).catch(() => {});
        root._dispose();
        await driver?.cleanup().catch(() => {});
    });
}).listen(path, () => console.log("ready"));
process.stdin.on("close", () => process.exit()).resume();
