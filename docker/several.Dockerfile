# Node-RED with the package and the driver of the database.
FROM nodered/node-red:4.1
RUN npm install --omit=dev @eid-flows/node-red-eid pg
COPY several-settings.js /usr/src/node-red/several-settings.js
